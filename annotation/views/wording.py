"""An item's question and options as they stand on the page: translated where they are our words, else as they are."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from annotation.languages import direction
from annotation.models import Study
from annotation.templatetags.spoken import AS_WRITTEN, spoken, texts_lang


def worded(study: Study, shown: Mapping[str, Any]) -> dict[str, Any]:
    """For the template: both, and each one's language where it is not the page's. `shown` is TaskType.shown()."""
    task, options = study.task, shown["options"]
    if task.options_from == "task":
        return {
            "question": gettext(task.question),
            "question_lang": "",
            "options": [replace(option, text=gettext(option.text)) for option in options],
            "options_lang": AS_WRITTEN,
        }
    return {
        "question": task.question,
        "question_lang": texts_lang(study),
        "options": options,
        "options_lang": (spoken(study.stimulus_language) if task.options_from == "item" else texts_lang(study))
        + AS_WRITTEN,
    }


def stimulus(study: Study, shown: Mapping[str, Any]) -> SafeString:
    """Rendered apart, so that a task type's template sees what is shown and nothing else of the item.

    `lang` goes to the elements that hold the item's own texts, `page_lang` to our words inside of these: with a
    direction of their own, they say nothing of that of the texts around them.
    """
    lang, page = spoken(study.stimulus_language), get_language() or ""
    page_lang = format_html(' lang="{}" dir="{}"', page, direction(page)) if lang else ""
    return render_to_string(study.task.template, {**shown, "lang": lang + AS_WRITTEN, "page_lang": page_lang})
