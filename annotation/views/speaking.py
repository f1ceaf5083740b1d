"""In which language annotators' pages speak: that of the study, whatever the browser asks for."""

from contextlib import AbstractContextManager

from django.utils.translation import override

from annotation.models import Study


def speaking_for(study: Study) -> AbstractContextManager[None]:
    """Within it, the study's language is spoken: by templates, refusals and messages alike."""
    return override(study.language)
