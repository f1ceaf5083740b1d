"""What an annotator is known by: a keyed hash of a platform's id, or of a browser's secret.

The same id comes out the same for as long as the installation keeps its SECRET_KEY, so that somebody who has taken
part is recognized also after the id itself was erased (annotation/privacy/); without the key nobody finds the id by
trying all there could be.
"""

from django.utils.crypto import salted_hmac


def known_by(platform: str, given: str) -> str:
    return salted_hmac("annotation.known_by", f"{platform}/{given}", algorithm="sha256").hexdigest()
