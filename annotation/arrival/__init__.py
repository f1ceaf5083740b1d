"""Who is here: from the address that a visitor opens to the sitting that is theirs, and to nobody else's.

An id in an address is not a login: whoever knows it could write it. So a sitting belongs to the browser that began it
(`visitor`, `holding`), and another one goes on only where the study allows it or the researcher lets it. `links` makes
the addresses that annotators are given, `way_back` says with what code and where they leave. Imports models only; the
views ask here. To add a reason for turning somebody away: a class in `refusals`, its heading in
annotation/views/notices.py.
"""
