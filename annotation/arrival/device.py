"""A computer, a tablet or a phone: three words about a browser, and never what would tell it from another."""

from django.http import HttpRequest

from annotation.models.sitting import Device


def device_of(request: HttpRequest) -> Device:
    """By what the browser calls itself. Nothing else of that is kept."""
    said = request.headers.get("User-Agent", "")
    if not said:
        return Device.UNKNOWN
    # Android tablets say Android without Mobile.
    if any(word in said for word in ("iPad", "Tablet")) or ("Android" in said and "Mobi" not in said):
        return Device.TABLET
    if "Mobi" in said or request.headers.get("Sec-CH-UA-Mobile") == "?1":
        return Device.PHONE
    return Device.COMPUTER if "Mozilla/" in said else Device.UNKNOWN
