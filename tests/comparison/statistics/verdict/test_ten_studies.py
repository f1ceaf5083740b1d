"""Ten made studies, and every word that is said of each."""

import pytest
from pydantic import TypeAdapter

from comparison.frame.cache.remembered import from_text, to_text
from comparison.statistics.verdict.parts import Verdict
from comparison.statistics.verdict.rule import verdict
from tests.comparison.statistics.verdict.ten import TEN

# The sentences, and what a list of studies has room for.
SAID: dict[str, tuple[tuple[str, ...], str]] = {
    "chance": (
        (
            "All 200 items have a majority label.",
            "People agree in part: nominal α = .52 [.43, .61], percent agreement .76 [.72, .80], AC1 .52 [.43, .61]. "
            "All labels of an item together have a reliability of .77 [.69, .82] (Spearman–Brown).",
            "No model is shown to beat chance (.50): the 3 models reach accuracy .48 to .55 "
            "against the majority label on 200 items.",
        ),
        "none shown to beat chance (.50)",
    ),
    "tie_of_three": (
        (
            "291 of 300 items have a majority label. 9 items are left out because people differ on them: "
            "models are compared on the easier ones.",
            "People agree in part: nominal α = .55 [.51, .59], percent agreement .70 [.67, .73], AC1 .55 [.51, .59]. "
            "All labels of an item together have a reliability of .86 [.84, .88] (Spearman–Brown).",
            "All 4 models beat chance (.33), and not by favoring common labels.",
            "The nearest is one of these: Ash, Birch and Cedar. They reach accuracy .75 [.68, .80], "
            ".74 [.68, .80] and .74 [.68, .80] against the majority label on 291 items "
            "(intervals hold for all at once). They are first in "
            "37, 32 and 32 of 100 resampled sets of items.",
            "One person gives the label that the others agree on .82 [.80, .85] of the time (labels on 300 "
            "items); on the same labels all 3 reach .74, below that by .08 to .09.",
        ),
        "Ash and 2 others, difference not shown: .74 to .75",
    ),
    "one_clear_best": (
        (
            "285 of 300 items have a majority label. 15 items are left out because people differ on them: "
            "models are compared on the easier ones.",
            "People agree in part: nominal α = .50 [.45, .54], percent agreement .67 [.64, .70], AC1 .50 [.45, .54]. "
            "All labels of an item together have a reliability of .83 [.80, .86] (Spearman–Brown).",
            "All 3 models beat chance (.33), and not by favoring common labels.",
            "Ash is the nearest model: it reaches accuracy .94 [.90, .96] against the majority "
            "label on 285 items. It is first "
            "in over 99 of 100 resampled sets of items.",
            "One person gives the label that the others agree on .78 [.75, .81] of the time (labels on 300 "
            "items); on the same labels Ash reaches .92, above that by .14 [.10, .17]. That does not make it "
            "better than people.",
        ),
        "Ash: .94 [.90, .96]",
    ),
    "skewed": (
        (
            "All 100 items have a majority label.",
            ".90 of all labels are “intensifier”; agreement of people beyond that is not shown: "
            "nominal α = .3 [.0, .5], percent agreement .87 [.82, .93], AC1 .85 [.77, .91]. What models "
            "are compared with may be noise, or the other labels are too few to tell.",
            "No model is shown to beat chance (.50): the 2 models reach accuracy .49 to .59 "
            "against the majority label on 100 "
            "items. Always answering “intensifier” (.96) would be right more often than both models. Of the 4 "
            "items that are “negation”, no model is shown to find more than chance does.",
        ),
        "none shown to beat chance (.50)",
    ),
    "people_at_chance": (
        (
            "All 150 items have a majority label.",
            "People are not shown to agree beyond chance: nominal α = −.03 [−.12, .06], percent agreement .49 "
            "[.44, .53], AC1 −.02 [−.11, .09]. What models are compared with may be noise.",
            "No model is shown to beat chance (.50): the 2 models reach accuracy .50 to .53 "
            "against the majority label on 150 items.",
        ),
        "none shown to beat chance (.50)",
    ),
    "one_label_an_item": (
        (
            "No majority: one label an item. Models are held against the reference, which all 120 items have.",
            "Agreement of people is undefined: no item has two labels yet.",
            "1 of 2 models (Ash) beats chance (.50), and not by favoring common labels.",
            "Ash is the nearest model: it reaches accuracy .89 [.82, .94] against the "
            "reference on 120 items. It is first in "
            "over 99 of 100 resampled sets of items.",
            "One person gives the reference .72 [.63, .80] of the time (labels on 120 items); on the same labels "
            "Ash reaches .89, above that by .18 [.07, .28].",
        ),
        "Ash: .89 [.82, .94]",
    ),
    "strengths_only": (
        (
            "174 of 200 items have a majority label. 26 items are left out because people differ on them: "
            "models are compared on the easier ones.",
            "People agree weakly: ordinal α = .38 [.31, .46], percent agreement .49 [.46, .53], AC1 .37 [.32, "
            ".41] (both nominal). "
            "All labels of an item together have a reliability of .76 [.69, .81] (Spearman–Brown).",
            "Ash (degrees by cut points) beats chance (.21: the same labels shuffled across items), and not by "
            "favoring common labels.",
            "It reaches accuracy .46 [.39, .53] against the majority label on 174 items.",
            "One person gives the label that the others agree on .62 [.58, .67] of the time (labels on 200 "
            "items); on the same labels Ash (degrees by cut points) reaches .44, below that by .18 [.11, .26].",
            "The strength of Ash (ρ = .48 [.36, .59]) rises with people’s labels.",
            "Not compared: Birch (gives strengths and no labels).",
        ),
        "Ash (degrees by cut points): .46 [.39, .53]",
    ),
    "below_a_constant": (
        (
            "All 300 items have a majority label.",
            "People agree for the most part: nominal α = .76 [.70, .80], percent agreement .86 [.82, .89], AC1 "
            ".80 [.75, .84]. "
            "All labels of an item together have a reliability of .90 [.88, .93] (Spearman–Brown).",
            "2 of 3 models (Birch and Ash) beat chance (.33), and not by favoring common labels. Always "
            "answering “b” (.59) would be right more often than all 3 models.",
            "The nearest is one of these: Birch and Ash. They reach accuracy .48 [.42, .55] and .48 "
            "[.41, .54] against the majority label on 300 items (intervals hold for all at "
            "once). They are first in 56 and 44 of 100 "
            "resampled sets of items.",
            "One person gives the label that the others agree on .92 [.90, .94] of the time (labels on 300 "
            "items); on the same labels both reach .46 to .49, below that by .43 to .46.",
        ),
        "Birch and Ash, difference not shown: .48",
    ),
    "twelve_items": (
        (
            "All 12 items have a majority label. That is few: a model must be right on 10 of 12 to beat chance.",
            "People agree at least weakly: nominal α = .7 [.3, 1.0], percent agreement .83 [.67, 1.00], AC1 .7 "
            "[.3, 1.0]. "
            "All labels of an item together have a reliability of .86 [.56, 1.00] (Spearman–Brown).",
            "1 of 2 models (Ash) beats chance (.50); none is shown to do more than favor common labels.",
            "The nearest of the models is one of these: Ash and Birch. They reach accuracy .83 [.50, "
            ".96] and .6 [.3, .8] against the majority label on 12 items (intervals hold for "
            "all at once). They are first in 98 and 2 of "
            "100 resampled sets of items.",
            "One person gives the label that the others agree on .90 [.76, 1.00] of the time (labels on 12 "
            "items); on the same labels both reach .57 to .80, and no gap is shown.",
            "About 19 more items could show that Ash does more than favor common labels, if it stays so (power .8).",
        ),
        "none shown to do more than favor common labels",
    ),
    "twenty_thousand_items": (
        (
            "All 20,000 items have a majority label.",
            "People agree in part: nominal α = .50 [.49, .51], percent agreement .750 [.746, .754], AC1 .50 "
            "[.49, .51]. "
            "All labels of an item together have a reliability of .75 [.74, .76] (Spearman–Brown).",
            "All 4 models beat chance (.50), and not by favoring common labels.",
            "The nearest is one of these: Ash and Birch. They reach accuracy .72 [.71, .73] and .72 "
            "[.71, .72] against the majority label on 20,000 items (intervals hold for all at "
            "once). They are first in 72 and 28 of 100 "
            "resampled sets of items. The baseline Bigrams (.72 [.71, .72]) is tied with the nearest.",
            "One person gives the label that the others agree on .833 [.829, .837] of the time (labels on 20,000 "
            "items); on the same labels both reach .72, below that by .11 to .12.",
        ),
        "Ash and Birch, difference not shown: .72",
    ),
}
# What the Overview begins with, of those studies whose answer is that none is told.
LEADS: dict[str, tuple[str, ...]] = {
    "chance": (
        "No model is shown to beat chance (.50): the 3 models reach accuracy .48 to .55 "
        "against the majority label on 200 items.",
    ),
    "skewed": (
        "No model is shown to beat chance (.50): the 2 models reach accuracy .49 to .59 "
        "against the majority label on 100 items.",
        "Always answering “intensifier” (.96) would be right more often than both models.",
        "People are not shown to agree beyond chance: what models are compared with may be noise.",
    ),
    "people_at_chance": (
        "No model is shown to beat chance (.50): the 2 models reach accuracy .50 to .53 "
        "against the majority label on 150 items.",
        "People are not shown to agree beyond chance: what models are compared with may be noise.",
    ),
    "one_clear_best": (
        "All 3 models beat chance (.33), and not by favoring common labels.",
        "Ash is the nearest model: it reaches accuracy .94 [.90, .96] against the majority label on 285 items.",
    ),
}


@pytest.mark.parametrize("name", TEN)
def test_the_verdict_on_ten_studies(name):
    found = verdict(TEN[name]())
    assert (found.sentences, found.short) == SAID[name]


@pytest.mark.parametrize("name", LEADS)
def test_a_page_begins_with_what_the_answer_hangs_on(name):
    assert verdict(TEN[name]()).lead == LEADS[name]


def test_each_of_the_ten_is_held_to_the_word():
    assert set(SAID) == set(TEN)
    assert len(TEN) == 10


@pytest.mark.parametrize("name", TEN)
def test_a_verdict_can_be_remembered(name):
    """As JSON text, every bit of it."""
    found = verdict(TEN[name]())
    shape = TypeAdapter(Verdict)
    assert from_text(shape, to_text(shape, found)) == found
