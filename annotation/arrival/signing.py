"""Personal links: an id with a signature that only this installation, or whom it gave the study's key, can make.

The signature is HMAC-SHA256 of the id under a key of the study's own, in hexadecimal digits, so that a panel that
can sign does it itself, with the key and nothing else.
"""

import hmac
from urllib.parse import urlencode

from django.utils.crypto import salted_hmac

from annotation.models import Study, StudyLink
from annotation.platforms.contract import SIGNATURE


def key_of(study: Study) -> str:
    return salted_hmac("annotation.personal_link", study.slug, algorithm="sha256").hexdigest()


def signature(study: Study, external_id: str) -> str:
    return hmac.new(key_of(study).encode(), external_id.encode(), "sha256").hexdigest()


def is_signed(study: Study, external_id: str, given: str) -> bool:
    return hmac.compare_digest(signature(study, external_id).encode(), given.encode())


def personal_address(link: StudyLink, external_id: str) -> str:
    """The link's path with the id and its signature."""
    query = {link.study.id_parameter: external_id, SIGNATURE: signature(link.study, external_id)}
    return f"{link.get_absolute_url()}?{urlencode(query)}"
