"""Models behind an address on the network: how it is called (`calling`), and the scorer that asks them (`scorer`).

The standard library's http.client and nothing else: no redirects, no proxies, and one deadline for a whole answer. The
address, and who counts what calls cost, are handed in (scoring/runs/asking.py), so no Django either.
To add another protocol: a scorer beside this one that takes an `Endpoint`, and its line in scoring/scorers.
"""
