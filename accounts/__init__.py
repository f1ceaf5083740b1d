"""Who may log in, and the rule that everything asks for it.

Lives here: the user model, the middleware that sends a visitor to the login, and where we differ from django-allauth,
which does the rest (`adapters`, `urls`). Imports Django, django-allauth and nothing of ours.
Refer to a user by settings.AUTH_USER_MODEL in models and get_user_model() in code; as a type, `User` from here will do.
To open a page to everyone, decorate its view with `login_not_required` and put its name on the list in
tests/house/test_addresses.py.
"""
