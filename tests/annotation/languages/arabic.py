"""Arabic items, and Arabic words of a researcher, in a page that speaks English: there is no Arabic catalog."""

from pathlib import Path

from annotation.itemfile import ItemRow, write_items
from annotation.loading import load_study
from annotation.models import Study

STUDY = """
slug = "arabic"
title = "الكلمات والجمل"
instructions = "اقرأ الجملة ثم اختر الكلمة المناسبة."

[task]
{task}

[collection]
labels_per_item = 3
sitting_length = 2
max_items_per_annotator = 100

[page]
advance = "enter"
stimulus_language = "ar"
"""
CHOICE = """type = "forced_choice"
question = "أي كلمة تناسب الفراغ؟"
options = ["intensifier", "negation"]
"""
RATING = """type = "rating"
question = "ما مدى معقولية هذه الجملة؟"
points = 5
low = "غير معقولة تماما"
high = "معقولة تماما"
"""


def open_arabic(folder: Path, *, task: str = CHOICE) -> Study:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(STUDY.format(task=task), encoding="utf-8")
    options = {"options": {"intensifier": "جدا", "negation": "أبدا"}}
    content = (
        {"sentence": "كان الحساء باردا ____ اليوم.", **options}
        if task is CHOICE
        else {"sentence": "القط يقرأ الجريدة."}
    )
    write_items(folder / "items.jsonl", [ItemRow(f"target-{number}", content) for number in (1, 2)])
    return load_study(folder, open_study=True).study
