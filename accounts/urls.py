"""The pages of accounts: django-allauth's views under our addresses, and the one that sums an account up.

Its names are django-allauth's, which leads to them by these. What is not listed here is not there: no open signup, no
login by mailed code.
"""

from allauth.account import views as account
from allauth.account.decorators import reauthentication_required
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from allauth.socialaccount import views as social
from allauth.socialaccount.providers.openid_connect.views import callback
from allauth.usersessions import views as sessions
from django.contrib.auth.decorators import login_not_required
from django.urls import path, register_converter
from django.urls.converters import StringConverter
from django.views.generic import RedirectView

from accounts import adapters
from accounts.views import needs_mail, your_account


class Uid(StringConverter):
    """A user's key to the base of 36, in which no hyphen is."""

    regex = "[0-9A-Za-z]+"


register_converter(Uid, "uid36")
# Whoever has logged out in another tab has nothing to log in for.
log_out = login_not_required(account.logout)
# Who finds a browser logged in cannot put its owner out of the others.
log_out_others = reauthentication_required(sessions.list_usersessions, allow_get=True)

urlpatterns = [
    path("login/", account.login, name="login"),
    path("login/", account.login, name="account_login"),
    path("logout/", log_out, name="logout"),
    path("logout/", log_out, name="account_logout"),
    path("login/again/", account.reauthenticate, name="account_reauthenticate"),
    path("login/code/", mfa.authenticate, name="mfa_authenticate"),
    path("login/code/again/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("login/passkey/", webauthn.login_webauthn, name="mfa_login_webauthn"),
    path("login/passkey/again/", webauthn.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    path("login/inactive/", account.account_inactive, name="account_inactive"),
    path("login/given-up/", social.login_cancelled, name="socialaccount_login_cancelled"),
    path("login/<slug:provider_id>/", adapters.log_in, name="openid_connect_login"),
    path("login/<slug:provider_id>/back/", callback, name="openid_connect_callback"),
    path("password/", needs_mail(account.password_reset), name="account_reset_password"),
    path("password/sent/", account.password_reset_done, name="account_reset_password_done"),
    path("password/changed/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    # A hyphen between the two: django-allauth writes it so.
    path(
        "password/<uid36:uidb36>-<slug:key>/", account.password_reset_from_key, name="account_reset_password_from_key"
    ),
    path("account/", your_account, name="account"),
    path("account/new/", account.signup, name="account_signup"),
    path("account/new/openid/", social.signup, name="socialaccount_signup"),
    path("account/email/", needs_mail(account.email), name="account_email"),
    path("account/email/<str:key>/", account.confirm_email, name="account_confirm_email"),
    path("account/password/", account.password_change, name="account_change_password"),
    path("account/password/first/", account.password_set, name="account_set_password"),
    path("account/sessions/", log_out_others, name="usersessions_list"),
    path("account/openid/", social.connections, name="socialaccount_connections"),
    path("account/second-factor/", RedirectView.as_view(pattern_name="account"), name="mfa_index"),
    path("account/second-factor/app/", totp.activate_totp, name="mfa_activate_totp"),
    path("account/second-factor/app/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("account/second-factor/codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("account/second-factor/codes/new/", recovery.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("account/second-factor/codes.txt", recovery.download_recovery_codes, name="mfa_download_recovery_codes"),
    path("account/passkeys/", webauthn.list_webauthn, name="mfa_list_webauthn"),
    path("account/passkeys/new/", webauthn.add_webauthn, name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/", webauthn.edit_webauthn, name="mfa_edit_webauthn"),
    path("account/passkeys/<int:pk>/remove/", webauthn.remove_webauthn, name="mfa_remove_webauthn"),
]
