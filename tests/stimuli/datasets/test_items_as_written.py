"""Item tables as people write them: keys, blanks, kinds, sources, faulty rows, own exports, and what is told."""

import tomllib

import pytest
from django.core.management import CommandError, call_command

from annotation.itemfile import ItemRow
from annotation.loading import load_study
from annotation.tasktypes import task_type
from stimuli.datasets.table.guessing import attributes_left, guess, guess_slot
from stimuli.datasets.table.reading import read_table
from tests.stimuli.datasets.importing import RATE
from tests.studies import write_study

RATED = {"type": "rating", "question": "How natural?", "points": 7, "low": "bad", "high": "good"}
NEAR = {"gold_distance": 1}
CHOICE = ("--task", "forced_choice", "--question", "Which word?", "--map")


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (("very", "not"), "the option's text"),
        (("Very", " NOT "), "in any case"),
        (("1", "2"), "numbers"),
        (("0", "1"), "numbers from 0"),
        (("1.0", "2.0"), "numbers of a spreadsheet"),
        (("A", "b)"), "letters"),
        (("Word A", "word_b"), "the column's name"),
        (("intensifier", "negation"), "the role"),
    ],
)
def test_the_answer_key_is_read_whatever_it_is_written_as(make, keys, why):
    text = f"sentence,Word A,Word B,key\nIt was ____ cold.,very,not,{keys[0]}\nHe ____ left.,really,not,{keys[1]}\n"
    maps = ("sentence=sentence", "options.intensifier=Word A", "options.negation=Word B", "reference=key")
    rows, _ = make(text, *CHOICE, *maps)
    assert [row["reference"] for row in rows] == ["intensifier", "negation"], why


def test_a_key_that_changes_sides_follows_its_text(make):
    text = "s,one,two,key\nIt ____.,is,are,is\nThey ____.,is,are,are\nWe ____.,am,are,are\n"
    rows, _ = make(text, *CHOICE, "sentence=s", "options.one=one", "options.two=two", "reference=key")
    assert [row["reference"] for row in rows] == ["one", "two", "two"]


BLANKS = ["__", "___", "________", "_", "[BLANK]", "[blank]", "…", "...", "____"]
BLANKS += ["....", "(blank)", "[ ]", "( )", "<gap>", "(…)", "\uff3f\uff3f", "-----"]


@pytest.mark.parametrize("blank", BLANKS)
def test_any_blank_is_the_slot_where_the_task_needs_one(make, blank):
    rows, _ = make(f"s,a,b\nIt was {blank} cold.,very,not\n", *CHOICE, "sentence=s", "options.a=a", "options.b=b")
    assert rows[0]["content"]["sentence"] == "It was ____ cold."


def test_a_rated_sentence_keeps_its_points(make):
    rows, _ = make("s\nWell … I left.\n", *RATE, "sentence=s")
    assert rows[0]["content"]["sentence"] == "Well … I left."


def test_guesser_and_item_file_agree_on_fillers(make, tmp_path):
    rows, _ = make("s,type\nHe left.,target\nShe left.,Filler\n", *RATE, "sentence=s", "kind=type")
    assert [row["kind"] for row in rows] == ["target", "target"]
    assert guess(read_table(tmp_path / "items.csv"), task_type("rating"))["kind"] == "type"


def test_nothing_is_written_in_many_ways(make):
    text = "s,mean,right\nHe left.,Na,3.0\nShe left.,-,<NA>\nIt left.,3.5,\n"
    rows, _ = make(text, *RATE, "sentence=s", "strength=mean", "reference=right")
    assert [row.get("strength") for row in rows] == [None, None, 3.5]
    assert [row.get("reference") for row in rows] == ["3", None, None]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cell", "kept"),
    [("none", "none"), ("null", "null"), ("-", "-"), (".", "."), ("K.A.", "K.A."), ("k.A.", None), ("NA", None)],
)
def test_a_level_of_an_attribute_may_be_none(make, cell, kept):
    rows, _ = make(f"s,adverb\nHe left.,{cell}\nShe left.,very\n", *RATE, "sentence=s", "attribute.adverb=adverb")
    assert rows[0].get("attributes", {}).get("adverb") == kept


def table_of(tmp_path, text):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    return read_table(tmp_path / "t.csv")


def test_an_id_column_is_never_an_option(tmp_path):
    text = "Nr.,Sentence,Word A,Word B\n1,It was ___ cold.,very,not\n2,He was ___ late.,really,not\n"
    found = guess(table_of(tmp_path, text), task_type("forced_choice"))
    assert {column for field, column in found.items() if field.startswith("options.")} == {"Word A", "Word B"}
    assert guess_slot(table_of(tmp_path, text), "Sentence") == ""


def test_a_column_without_a_name_is_no_attribute(tmp_path):
    table = table_of(tmp_path, ",sentence,cond\n0,The dog barks.,a\n1,The cat sleeps.,b\n")
    assert attributes_left(table, {"sentence": "sentence"}) == ["cond"]


def test_what_is_odd_is_told(make):
    text = (
        "id,s,speaker\n1,The dog barks.,Anna\n2,The dog  barks.,anna\n3,<b>The</b> cat sleeps.,Ben\n"
        "4,The cow\u200b eats.,Ben\n"
    )
    _, said = make(text, *RATE, "id=id", "sentence=s", "attribute.speaker=speaker")
    assert "note: items 1 and 2: have the same text (2 times)" in said
    assert "note: item 3: markup such as <b>" in said
    assert "note: item 4: invisible characters such as zero width space (U+200B)" in said
    assert "note: column “speaker”: “Anna” and “anna” are treated as different values" in said


def test_repeated_rows_can_be_left_out(make):
    text = "id,s\n1,A dog barks.\n2,A cat sleeps.\n3,A dog barks.\n"
    rows, said = make(text, *RATE, "id=id", "sentence=s", "--skip-repeated")
    assert [row["id"] for row in rows] == ["1", "2"]
    assert "left out, line 4: same text as line 2" in said


def test_no_text_is_lost_where_repeated_and_faulty_rows_are_left_out(make):
    """A row that goes for its ID stands for no other, and a row that goes uses no ID."""
    fields = (*RATE, "id=id", "sentence=s", "--skip-repeated", "--skip-faulty")
    rows, said = make("id,s\n1,A\n1,B\n3,B\n4,C\n", *fields)
    assert [(row["id"], row["content"]["sentence"]) for row in rows] == [("1", "A"), ("3", "B"), ("4", "C")]
    assert "left out, line 3: same text as line 4" in said
    rows, said = make("id,s\n1,A\n2,A\n2,B\n", *fields)
    assert [(row["id"], row["content"]["sentence"]) for row in rows] == [("1", "A"), ("2", "B")]
    assert "left out, line 3: same text as line 2" in said


ASKED = ("--task", "yes_no", "--map", "id=id", "question=q", "reference=right", "--labels", "yes=yes", "no=no")


def test_of_repeated_rows_the_one_with_an_answer_stays(make):
    rows, said = make("id,q,right\n1,Is it B?,\n2,Is it B?,yes\n3,Is it C?,no\n", *ASKED, "--skip-repeated")
    assert [(row["id"], row.get("reference")) for row in rows] == [("2", "yes"), ("3", "no")]
    assert "left out, line 2: same text as line 3" in said


def test_an_answer_on_a_used_id_is_not_dropped_silently(make):
    text = "id,q,right\n1,Is it A?,no\n2,Is it B?,\n1,Is it B?,yes\n"
    with pytest.raises(CommandError, match="“1” was already used on line 2"):
        make(text, *ASKED, "--skip-repeated")


def test_repeated_rows_with_different_answers_are_told_by_line(make):
    text = "id,q,right\n1,Is it A?,yes\n2,Is it A?,no\n3,Is it C?,no\n"
    with pytest.raises(CommandError) as refused:
        make(text, *ASKED, "--skip-repeated")
    assert "line 2, column 'right': is “yes”, but “no” on line 3, which has the same text" in str(refused.value)
    assert "line 3, column 'right': is “no”, but “yes” on line 2, which has the same text" in str(refused.value)
    rows, said = make(text, *ASKED, "--skip-repeated", "--skip-faulty")
    assert [row["id"] for row in rows] == ["3"]
    assert "left out, line 2: column 'right' is “yes”, but “no” on line 3" in said
    rows, said = make(text, *ASKED)
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert "items 1 and 2: have the same text (2 times) and different answers" in said


def test_faulty_rows_can_be_left_out_and_are_listed(make):
    text = "id,s\n1,A dog barks.\n2,\n1,A cat sleeps.\n4,A cow, and more.\n5,A cow eats.\n"
    with pytest.raises(CommandError, match="3 rows have problems: --skip-faulty takes the other 2"):
        make(text, *RATE, "id=id", "sentence=s")
    rows, said = make(text, *RATE, "id=id", "sentence=s", "--skip-faulty")
    assert [row["id"] for row in rows] == ["1", "5"]
    assert "2 of 5 rows taken" in said
    assert all(f"left out, line {line}:" in said for line in (3, 4, 5))


def test_an_own_export_comes_back_without_apostrophes(make, tmp_path):
    text = (
        "study,population,item,group,text,attribute:human,reference\r\n"
        "s,nobody,'+d3,,\"'- Où est-il ?\n- Là.\",'+human,\r\ns,nobody,d4,,'Tis so.,-3,\r\n"
    )
    maps = ("id=item", "sentence=text", "attribute.human=attribute:human")
    rows, _ = make(text, *RATE, *maps)
    assert [row["id"] for row in rows] == ["+d3", "d4"]
    assert [row["content"]["sentence"] for row in rows] == ["- Où est-il ?\n- Là.", "'Tis so."]
    assert [row["attributes"]["human"] for row in rows] == ["+human", "-3"]
    other, _ = make("id,s\n1,'-x\n", *RATE, "id=id", "sentence=s")
    assert other[0]["content"]["sentence"] == "'-x", "of files that are not ours nothing is taken off"


@pytest.mark.django_db
def test_items_that_were_exported_come_back_as_they_were(make, tmp_path):
    texts = {"+d3": "- Où est-il ?\n- Là.", "d4": "'Tis so; “so”.", "=5": "@home", "\u00e9": '"Stop!", he said.'}
    before = [ItemRow(name, {"sentence": text}, attributes={"human": text[0]}) for name, text in texts.items()]
    study = load_study(write_study(tmp_path / "before", before, task=RATED)).study
    out = tmp_path / "exported.csv"
    call_command("export", study.slug, "items", "--out", str(out))
    text = out.read_bytes().decode("utf-8")
    rows, _ = make(text, *RATE, "id=item", "sentence=text", "attribute.human=attribute:human")
    assert {row["id"]: row["content"]["sentence"] for row in rows} == texts
    assert {row["id"]: row["attributes"]["human"] for row in rows} == {name: of[0] for name, of in texts.items()}


def test_formulas_without_values_are_named_by_column(tmp_path):
    from openpyxl import Workbook

    book = Workbook()
    for line in (["id", "s"], ["1", '="The "&"dog"']):
        book.active.append(line)
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(CommandError, match="column 's': holds formulas without a stored value"):
        call_command("import_study", "table", str(tmp_path / "a.xlsx"), *RATE, "id=id", "sentence=s", "--no-load")


@pytest.mark.parametrize(
    "text", ['[{"id": "1", "s": "A dog."}]', '{"id": "1", "s": "A dog."}\n{"id": "2", "s": "B."}\n']
)
def test_items_of_potato_are_read_from_json(make, text):
    rows, _ = make(text, *RATE, "id=id", "sentence=s", name="toy-example.json")
    assert rows[0]["content"] == {"sentence": "A dog."}


def keyed_items(make, keys, *more, names=("ending0", "ending1"), texts=None):
    """The right answers of items with two options in columns of these names."""
    options = texts or [("runs", "run")] * len(keys)
    rows = "".join(f"He ____.,{one},{other},{key}\n" for key, (one, other) in zip(keys, options, strict=True))
    maps = (f"options.{name}={name}" for name in names)
    items, _ = make(f"s,{','.join(names)},label\n{rows}", *CHOICE, "sentence=s", *maps, "reference=label", *more)
    return [item.get("reference") for item in items]


@pytest.mark.parametrize(
    ("names", "keys", "meant"),
    [
        (("ending0", "ending1"), ("1", "1", "1"), (1, 1, 1)),
        (("ending0", "ending1"), ("2", "1", "2"), (1, 0, 1)),
        (("option2", "option1"), ("1", "2", "1"), (1, 0, 1)),
        (("option B", "option A"), ("A", "B", "a"), (1, 0, 1)),
        (("sol1", "sol2"), ("0", "1", "1"), (0, 1, 1)),
        (("good", "bad"), ("0.0", "1.0", "1.0"), (0, 1, 1)),
        (("good", "bad"), ("0", "1", "NA"), (0, 1, None)),
        (("good", "bad"), ("-1", "2", "1"), (None, 1, 0)),
        (("good", "bad"), ("-1", "0", "\u22121"), (None, 0, None)),
        (("good", "bad"), ("option 1", "option-2", "(2)"), (0, 1, 1)),
    ],
)
def test_numbers_and_letters_of_keys_are_read_by_the_whole_column(make, names, keys, meant):
    assert keyed_items(make, keys, names=names) == [None if one is None else names[one] for one in meant]


@pytest.mark.slow
def test_keys_that_are_also_texts_of_options_are_texts_only_if_all_are(make):
    names = ("one", "two")
    assert keyed_items(make, ("A", "B"), names=names, texts=[("an", "a"), ("the", "an")]) == ["one", "two"]
    assert keyed_items(make, ("a", "an"), names=names, texts=[("an", "a"), ("an", "a")]) == ["two", "one"]
    assert keyed_items(make, ("2", "3"), names=names, texts=[("3", "2"), ("2", "3")]) == ["two", "two"]
    assert keyed_items(make, ("2", "1"), names=names, texts=[("1", "2"), ("2", "5")]) == ["two", "one"]


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("1", "1"), ("0", "2", "1")])
def test_keys_that_can_be_counted_in_two_ways_are_refused_until_somebody_says(make, keys):
    with pytest.raises(CommandError, match="column 'label': its numbers .*--labels"):
        keyed_items(make, keys, "--skip-faulty", names=("good", "bad"))
    said = ("--labels", "1=bad", "0=good", "2=bad")
    assert keyed_items(make, ("1", "1"), *said, names=("good", "bad")) == ["bad", "bad"]


@pytest.mark.slow
def test_a_typo_among_numbers_does_not_change_what_the_others_mean(make):
    assert keyed_items(make, ("1", "2", "7"), "--skip-faulty", names=("good", "bad")) == ["good", "bad"]


def test_a_key_in_other_code_points_is_the_same_text(make):
    assert keyed_items(make, ("cafe\u0301",), names=("a", "b"), texts=[("caf\u00e9", "th\u00e9")]) == ["a"]


def test_nothing_in_a_category_is_no_value_and_is_told(make):
    text = "s,cond,set,animate\nHe left.,a,1,+\nShe left.,NA,-,-\nIt left.,<NA>,1,-\nNone,b,1,NaN\n"
    maps = ("sentence=s", "attribute.cond=cond", "group=set", "attribute.animate=animate")
    rows, said = make(text, *RATE, *maps)
    assert [row.get("attributes") for row in rows] == [
        {"cond": "a", "animate": "+"}, {"animate": "-"}, {"animate": "-"}, {"cond": "b"}
    ]  # fmt: skip
    assert [row.get("group", "") for row in rows] == ["1", "", "1", "1"]
    assert "note: column “cond”: “NA” (1 row) is read as nothing" in said
    assert "note: column “set”: “-” (1 row) is read as nothing" in said
    assert "note: column “set”: item row-2 has no group" in said
    assert "column “animate”: “-”" not in said
    assert "note: column “s”: “None” (1 row) is kept as a text" in said


def test_groups_that_were_merged_cells_are_told(make):
    _, said = make("s,set\nA b.,1\nB b.,\nC b.,2\nD b.,\n", *RATE, "sentence=s", "group=set")
    assert "note: column “set”: items row-2 and row-4 have no group, and each group has one item; if cells" in said


@pytest.mark.slow
def test_markup_and_odd_characters_are_told(make):
    marked = (
        "The **dog** barks.",
        "The *cat* sleeps.",
        "The __cow__ eats.",
        "A _pig_ eats.",
        "The \\\\textit{ox} eats.",
    )
    for text in marked:
        assert "markup such as" in make(f"s\n{text}\n", *RATE, "sentence=s")[1], text
    for text in (
        "*The dog bark.",
        "He ______ fast.",
        "2 * 3 * 4 is 24.",
        "snake_case_word is it.",
        "It\u2019s R&D; ok.",
    ):
        assert "markup such" not in make(f"s\n{text}\n", *RATE, "sentence=s")[1], text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The\u00a0dog.", "unusual spaces such as no-break space (U+00A0) are kept"),
        ("The\u3000cow.", "ideographic space (U+3000)"),
        ("The\u2009cow.", "thin space (U+2009)"),
        ("Caf\ufffd is.", "characters were lost"),
        ("Caf\u00c3\u00a9 is.", "“CafÃ©” looks like UTF-8 that was read in another encoding"),
        ("It\u00e2\u20ac\u2122s here.", "looks like UTF-8"),
        ("\u0420\u0454\u0420\u0455\u0421\u201a.", "looks like UTF-8"),
        ("Le café.\nLe cafe\u0301.", "have the same text (2 times)"),
    ],
)
def test_a_damaged_or_odd_text_is_told(make, text, told):
    assert told in make(f"s\n{text}\n", *RATE, "sentence=s")[1]


def test_texts_in_other_languages_are_not_called_damaged(make):
    _, said = make("s\nÂge et Île.\nEё ёлка.\nÄußerst größer.\nÃ é.\n", *RATE, "sentence=s")
    assert "looks like UTF-8" not in said


def test_a_head_that_comes_again_and_sums_are_no_items(make):
    rows, said = make("id,s,c\n1,A b.,a\nid,s,c\n2,B c.,b\nMean,2.5,\nTotal:,2,\n", *RATE, "id=id", "sentence=s")
    assert [row["id"] for row in rows] == ["1", "2"]
    assert "note: line 3: left out, as the header again" in said
    assert "note: line 6: sums up the rows above and is left out" in said
    rows, _ = make("word,freq\nsum,2\nmean,3\n", *RATE, "sentence=word")
    assert len(rows) == 2, "a word that could be a sum is an item where all rows are like it"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("task", "content"),
    [
        (RATED, {"first": "He runs.", "second": "He sleeps."}),
        ({"type": "plausibility"}, {"original": "He saw a gun.", "modified": "He saw a fake gun.", "modifier": "fake"}),
        (
            {"type": "forced_choice", "question": "Which?", "options": ["good", "bad"]},
            {"sentence": "He ____ fast.", "options": {"good": "runs", "bad": "run"}},
        ),
    ],
)
def test_an_export_of_joined_texts_names_the_folder(make, tmp_path, task, content):
    study = load_study(write_study(tmp_path / "before", [ItemRow("a", content)], task=task, quality=NEAR)).study
    out = tmp_path / "exported.csv"
    call_command("export", study.slug, "items", "--out", str(out))
    with pytest.raises(CommandError, match="To recreate the study, download its folder"):
        make(out.read_text(encoding="utf-8"), *RATE, "id=item", "sentence=text")


def test_a_column_of_numbers_is_one_in_results(make, tmp_path):
    """Neither what counts the items nor the levels of a factor is; an empty cell is no number."""
    freq = ["4,85", "3,1", "5,6", "4,1", "3,35", "", "5,6", "4,6", "3,85"]
    rows = "".join(f"S {n} b.;{one};{n};{n % 2};{n % 8 + 3}\n" for n, one in enumerate(freq))
    named = ("attribute.freq=freq", "attribute.no=no", "attribute.level=level", "attribute.length=length")
    _, said = make("s;freq;no;level;length\n" + rows, *RATE, "sentence=s", *named)
    assert "column “freq”: values are numbers" in said
    made = tomllib.loads((tmp_path / "out" / "study.toml").read_text())
    assert made["results"] == {"numbers": ["freq", "length"]}


def test_commas_and_points_in_one_column_are_no_numbers(make):
    """Either may part thousands: `1.234` beside `12,5` is one thousand."""
    freq = ["12,5", "1.234", "2.500", "3,25", "4,75", "5,5", "6,5", "7,5"]
    rows = "".join(f"S {n} b.;{one}\n" for n, one in enumerate(freq))
    _, said = make("s;freq\n" + rows, *RATE, "sentence=s", "attribute.freq=freq")
    assert "values are numbers" not in said
