"""What tests share stands in modules of its own, so that each test module can be read, and changed, alone."""

import re

from tests.house.sources import python_files, short

# In the text, not in its tree: programs that tests run are written as strings.
IMPORTS_A_TEST = re.compile(
    r"^\s*(?:from tests[\w.]*\.test_\w+ import|import tests[\w.]*\.test_\w+|from tests[\w.]* import .*\btest_\w+)",
    re.MULTILINE,
)


def test_no_test_module_is_imported():
    borrowed = [
        f"{short(path)}: {found.group().strip()}"
        for path in python_files(rooms=("tests", "bench"))
        for found in IMPORTS_A_TEST.finditer(path.read_text())
    ]
    assert not borrowed, "Move what is shared to a support module:\n" + "\n".join(borrowed)


def test_the_search_finds_them():
    module = "test_pages"
    imports = (f"from tests.room.{module} import words", f"import tests.{module}", f"from tests.room import {module}")
    for line in imports:
        assert IMPORTS_A_TEST.search(f"import re\n    {line}\n"), line
    assert not IMPORTS_A_TEST.search("from tests.studies import write_study")
