"""LaTeX: whatever stands in names and texts is text, and the document compiles."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparison.bundle import latex
from comparison.bundle.latex import tex
from comparison.figures.table import Table
from comparison.statistics.estimate import Estimate

HOSTILE = [
    r"\input{/etc/passwd}", r"\write18{rm -rf /}", "100 % & more_$x$ #1 {a} ~ ^", "% not a comment", r"a\\[5pt] b", "{",
    "}}}", "κ, α, ρ ω ε, −.14 ’quoted’ “twice” – — …", "Müller Łódź Škoda Ångström façade naïve İstanbul ğ ő đ þ",
    "中文 emoji 😀 Привет עברית",
    "a\nb\tc\r\n\x0b", "``x'' --- <<y>> ,,z'' ?` !` -- ''", "*", "[1]", "|", '"', "\u200b\u202e\ufeff",
    "e\u0301 x\u0336 \u0301",
    "½ ² ± × ≤ ≥ ≠ → ∞ ° € £ « » ¡ ¿ § ﬁ", "end\\", "^^41 ^^M",
]  # fmt: skip


def table_of(texts, *, name="hostile"):
    rows = tuple((text, Estimate(0.5, 0.4, 0.6, n=10, note=text)) for text in texts)
    return Table(
        name=name,
        title=texts[0],
        columns=("Run", texts[1]),
        rows=rows,
        rests_on=texts[2],
        method=texts[3],
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a & b", r"a \& b"),
        ("50 %", r"50 \%"),
        ("a_b", r"a\_b"),
        ("\\", r"\textbackslash{}"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("{}", r"\{\}"),
        ("$#", r"\$\#"),
        ("κ α ρ", r"$\kappa$ $\alpha$ $\rho$"),
        ("−.14", "$-$.14"),
        ("people’s", "people's"),
        ("[.5]", "{[}.5{]}"),
        ("é", r"\'{e}"),
        ("e\u0301", r"\'{e}"),
        ("中", r"\texttt{U+4E2D}"),
        ("a--b", "a-{}-b"),
        ("a\n\nb", "a b"),
    ],
)
def test_what_a_text_becomes(text, written):
    assert tex(text) == written


@pytest.mark.slow
@given(st.text())
def test_any_text_is_ascii_on_one_line_with_even_braces(text):
    found = tex(text)
    assert found.isascii()
    assert "\n" not in found
    without = re.sub(r"\\[\\{}$&%#_]", "", found)
    assert without.count("{") == without.count("}")
    assert not re.search(r"[%&#]", without), "each would be a comment, a column or a parameter"
    assert without.count("$") % 2 == 0


@pytest.mark.slow
@given(st.text(alphabet=r"\{}$&%#_^~ab", max_size=20))
def test_no_command_comes_from_a_text(text):
    ours = {"textbackslash", "textasciitilde", "textasciicircum", "{", "}", "$", "&", "%", "#", "_"}
    assert set(re.findall(r"\\([A-Za-z]+|.)", tex(text))) <= ours


def test_a_long_table_is_cut_into_parts():
    rows = tuple((f"r{number}", "x") for number in range(90))
    table = Table(name="long", title="T", columns=("a", "b"), rows=rows, rests_on="n", method="m")
    text = latex.table_text(table, mark="k")
    assert text.count(r"\begin{table}") == 3
    assert "Part 3 of 3." in text
    assert text.count(r"\label{tab:long-") == 3
    assert all(f"r{number} & x" in text for number in range(90))


def test_notes_stand_below_the_part_that_refers_to_them():
    rows = tuple((f"r{number}", Estimate.none(f"reason {number // 40}")) for number in range(50))
    table = Table(name="long", title="T", columns=("a", "b"), rows=rows, rests_on="n", method="m")
    first, second = latex.table_text(table, mark="k").split(r"\end{table}")[:2]
    assert "reason 0" in first
    assert "reason 1" not in first
    assert "reason 1" in second


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed, so nothing is compiled")
def test_hostile_texts_compile(tmp_path):
    several = [HOSTILE[start:] + HOSTILE[:start] for start in range(0, len(HOSTILE), 3)]
    found = [table_of(texts, name=f"hostile-{number}") for number, texts in enumerate(several)]
    compiled(tmp_path, found, title=" ".join(HOSTILE))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed, so nothing is compiled")
def test_the_tables_of_a_study_compile(study, bare_study, bundle):
    for one in (study, bare_study):
        run(bundle(one) / "latex")


def compiled(folder, tables, *, title):
    for table in tables:
        (folder / f"{table.name}.tex").write_text(latex.table_text(table, mark="k"))
    (folder / "tables.tex").write_text(latex.document(tables, title=title, mark=HOSTILE[2]))
    run(folder)


def run(folder):
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "tables.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert (folder / "tables.pdf").stat().st_size > 1000
