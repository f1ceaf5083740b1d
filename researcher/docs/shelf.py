"""Which pages of docs/ the site shows, in which order, and what each is for. One list; a page that is not in it is not
shown. What is for whoever changes the code stays where the code is.
"""

from dataclasses import dataclass

from comparison.glossary.entries import METRIC_TERMS
from comparison.glossary.people import AGGREGATION, AGREEMENT, OVER_PEOPLE, PEOPLE
from comparison.glossary.runs import ACCURACY, ASKED, BETWEEN, DISTRIBUTIONS, STRENGTHS, VERDICT
from comparison.glossary.term import Term


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of docs/ by its name, and what a reader finds there."""

    name: str
    title: str
    line: str


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    entries: tuple[Entry, ...]


GROUPS = (
    Group(
        "Start",
        (
            Entry("first-steps", "First steps", "Look at a sample, make a study, read its results: ten minutes."),
            Entry("researchers", "The pages of the site", "What each page shows and does."),
            Entry("papers", "Five papers", "Published results, reproduced command by command."),
        ),
    ),
    Group(
        "How do I …",
        (
            Entry("participants", "Recruit participants", "A pilot, Prolific, MTurk, panels, classes, and paying."),
            Entry("annotators", "Know what annotators see", "Their page, links, keys, languages, and what it records."),
            Entry("scoring", "Score items with models", "Models, runs, baselines, and scores from elsewhere."),
            Entry("training", "Train a classifier", "Fine-tune on labels or references, probes, and grids."),
            Entry("maskedlm", "Train a masked model", "The small masked language model, from text to scores."),
            Entry("formats", "Import from another tool", "Label Studio, Potato, lm-eval, minicons, and others."),
            Entry("exports", "Export and publish", "Every download and its columns, the report, and data sets."),
        ),
    ),
    Group(
        "Reference",
        (
            Entry("studies", "Study files", "study.toml and items.jsonl, every setting, and data sets."),
            Entry("statistics", "Statistics", "Every statistic: source, assumptions, and when it is undefined."),
            Entry("metrics", "Metrics", "How each model score is defined."),
            Entry("api", "API and Python client", "Studies, items, labels, runs, and results as JSON."),
            Entry("webhooks", "Webhooks", "Events that Parallax sends to your server."),
            Entry("rights", "Roles and rights", "Who may see and do what in a study."),
        ),
    ),
    Group(
        "Operate",
        (
            Entry("running", "Run Parallax", "Processes, queues, and PostgreSQL."),
            Entry("settings", "Settings", "Every environment variable."),
            Entry("accounts", "Accounts", "Log in, two-factor authentication, passkeys, and OpenID."),
            Entry("asvs", "ASVS level 2", "Each point of OWASP’s standard: met, not met, and why."),
        ),
    ),
)
# Reached from the page of the papers.
OF_PAPERS = (
    Entry("papers/intensifiers", "Intensifiers and negation", "Rank of the target word, MRR, and the neutral context."),
    Entry("papers/agreement", "Subject–verb agreement", "Fill-mask on number agreement."),
    Entry("papers/event-knowledge", "Event knowledge", "EventsAdapt, DTFit, EventsRev, and their baselines."),
    Entry("papers/altboolq", "AltBoolQ", "Entities exchanged, BoolQ’s variants, and classifiers."),
    Entry("papers/adept", "ADEPT", "Adjective plausibility, from data to classifiers."),
)
ENTRIES = {entry.name: entry for entry in (*(entry for group in GROUPS for entry in group.entries), *OF_PAPERS)}
FOR_CODE = ("design", "dependencies", "words")

# The glossary: its sections by the key that addresses have.
SECTIONS: dict[str, tuple[str, tuple[Term, ...]]] = {
    "agreement": ("Agreement among people", tuple(AGREEMENT)),
    "people": ("People", (*OVER_PEOPLE, *PEOPLE)),
    "aggregation": ("Aggregating labels", tuple(AGGREGATION)),
    "accuracy": ("Accuracy and agreement with labels", tuple(ACCURACY)),
    "distributions": ("Label distributions", tuple(DISTRIBUTIONS)),
    "verdict": ("The verdict", tuple(VERDICT)),
    "strengths": ("Scores", tuple(STRENGTHS)),
    "runs": ("Comparing runs", tuple(BETWEEN)),
    "asked": ("Prompted models", tuple(ASKED)),
    "metrics": ("Metrics", tuple(METRIC_TERMS)),
}
