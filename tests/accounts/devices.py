"""What somebody has in their pocket: an authenticator app, and a device that keeps passkeys."""

import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value


def code_of(secret, *, later=0):
    """What an app shows, computed here by RFC 6238."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))


def virtual_authenticator(page):
    """A device that says yes: kept in the browser, with a finger that is always the right one."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, made["authenticatorId"]
