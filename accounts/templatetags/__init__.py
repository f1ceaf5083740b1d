"""What the pages of accounts ask: by which name the site is open, and whether OpenID is configured.

To add one: a function in `accounts`, which asks django-allauth or the settings and knows nothing of studies.
"""
