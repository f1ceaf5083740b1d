"""Numbers, names and filters in the words of the results."""

from tests.comparison.page.visiting import page, words


def test_the_tile_of_labels_says_that_no_filter_narrows_it(logged_in, study):
    said = "excluded; of the whole study, whatever the filters"
    assert said in words(page(logged_in, study, agreement="unanimous"))
    assert said not in words(page(logged_in, study))


def test_a_name_is_written_as_it_is_given(logged_in, cut_study):
    answer = page(logged_in, cut_study)
    assert answer.context["page"].verdict.who.startswith("smol · pll"), "the tile names it"
    assert "Smol · pll" not in words(answer)


def test_one_item_is_one_item(logged_in, bare_study):
    assert "0 of 1 item complete" in words(page(logged_in, bare_study))
    assert "1 of 1 item" in words(page(logged_in, bare_study, "items"))


def test_the_alternative_test_is_told_in_english(logged_in, study):
    text = words(page(logged_in, study, "models", open="alternative"))
    assert "leaves out one of people" not in text
