"""The published score files of the event sets: what each is, and the accuracy that SOURCE.txt beside them states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Of a model with several files, the one whose accuracy is stated.
STATED_METRICS = ("sentence-PLL", "sentence-LL", "surprisal_scores")
FEWEST_FILES = 25
# Files that are not called SET.MODEL.METRIC.txt: how they end, the model, its metric, the column of the score.
OTHERS = (
    ("sdm-scores.txt", "SDM", "structured distributional model", 6),
    ("scores_baseline1.txt", "PPMI", "sum of associations", 4),
    ("TF-prod.n200.txt", "thematicFit", "product of thematic fits", 3),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFile:
    """One file of one set, with what `import_scores` must be given. `is_stated`: SOURCE.txt may state its accuracy."""

    events: str
    path: Path
    model: str
    metric: str
    column: int
    is_stated: bool

    @property
    def rater(self) -> str:
        return f"{self.model} · {self.metric} (imported)"

    @property
    def arguments(self) -> list[str]:
        """The options of `manage.py import_scores`, as docs/scoring.md has them."""
        family = "masked" if "PLL" in self.metric else "causal" if self.metric in STATED_METRICS else "other"
        family = "causal" if self.metric.startswith("sentence-LL") else family
        options = ["--name", self.model, "--metric-name", self.metric, "--family", family, "--column", str(self.column)]
        options += ["--by", "text", "--no-header", "--delimiter", "tab", "--map", "text=2", "--skip-unknown"]
        options += ["--source", f"Kauf, Ivanova et al. 2023, {self.path.name}"]
        return options + (["--lower-is-better"] if "surprisal" in self.metric else [])


@dataclass(frozen=True, slots=True)
class Stated:
    """A figure of SOURCE.txt: `right` of `n` active pairs; `ties` only where it names them."""

    events: str
    rater: str
    right: int
    n: int
    ties: int | None

    def is_about(self, file: ScoreFile) -> bool:
        """`RoBERTa` is said of roberta-large, `GPT-2-xl` of gpt2-xl."""
        same = _bare(file.model).startswith(_bare(self.rater.split()[0]))
        return self.events == file.events and file.is_stated and same


def score_files(folder: Path) -> list[ScoreFile]:
    """Every file in `folder`/SET, by set and name; LookupError if there are fewer than were published."""
    files = [_described(path) for path in sorted(folder.glob("*/*.txt"))]
    if len(files) < FEWEST_FILES:
        raise LookupError(f"{folder} has {len(files)} score files; there should be at least {FEWEST_FILES}.")
    return files


def _described(path: Path) -> ScoreFile:
    events = path.parent.name
    for end, model, metric, column in OTHERS:
        if path.name.endswith(end):
            return ScoreFile(events=events, path=path, model=model, metric=metric, column=column, is_stated=True)
    _, model, metric = path.name.removesuffix(".txt").split(".", 2)
    stated = metric in STATED_METRICS
    return ScoreFile(events=events, path=path, model=model, metric=metric, column=3, is_stated=stated)


def stated_figures(source: Path) -> Iterator[Stated]:
    """What SOURCE.txt says of each rater: `DTFit (395): human mean 391 (1 tie), … .`"""
    line = next(line for line in source.read_text().splitlines() if line.startswith("Binary accuracy"))
    for events, n, figures in re.findall(r"(\w+) \((\d+)\): ([^.]+)\.", line):
        for figure in figures.split(", "):
            found = re.fullmatch(r"(.+) (\d+)(?: \((\d+) ties?\))?", figure)
            if found is None:
                raise LookupError(f"{source} states {figure!r}, which is no rater and count.")
            rater, right, ties = found.groups()
            yield Stated(events, rater, int(right), int(n), int(ties) if ties else None)


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
