"""How large a table may be: its cells one by one, and all that they hold."""

from corpus.bounds import LONGEST_CELL, MOST_CHARACTERS, Size


def test_a_cell_and_all_cells_together_have_a_most():
    assert Size().fault_with(["a" * LONGEST_CELL, None, 3]) == ""
    assert Size().fault_with({"text": "a" * (LONGEST_CELL + 1)}) == "has a cell of more than 200,000 characters"
    size, row = Size(), ["a" * LONGEST_CELL]
    assert [size.fault_with(row) for _ in range(MOST_CHARACTERS // LONGEST_CELL)][-1] == ""
    assert "more than 60,000,000 characters" in size.fault_with(row)
