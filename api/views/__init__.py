"""The pages beside the API: making and withdrawing tokens, and what its addresses are.

Views ask for a login, as all pages do, and know the token's row and the API's description, and no study. To add one: a
view here, a line in `api/urls.py`, a template in `templates/api/`.
"""
