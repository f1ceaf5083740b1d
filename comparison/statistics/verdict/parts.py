"""The parts of a verdict, each the answer to one question."""

from dataclasses import dataclass

from comparison.statistics.agreement.alpha import Level
from comparison.statistics.agreement.at_chance import AtChance
from comparison.statistics.agreement.camps import Camps
from comparison.statistics.agreement.following import Follows
from comparison.statistics.agreement.reversed import Reversed
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.finding import Finding
from comparison.statistics.verdict.odds import LEVEL, Constant
from comparison.statistics.verdict.rare import Rare
from comparison.statistics.verdict.taking_part import Outside
from comparison.statistics.verdict.words.wording import in_words, number, resampled, spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Are there enough labels? `known` of `items` have a label to hold runs against (`against`: majority or reference).

    `no_majority`: why there are labels and no majority. `needed`: on how many of `known` a run must be right to be told
    from chance; None where no number would do, the measure is another, or the items are of `groups` (0 where they
    stand alone). `is_few`: that is much more than chance. `share_in`: of the labels that are wanted, while
    they come in. `repeated`: how many items have the same text as another, where none is of a group. `split`: how many
    have several labels and no majority. `adjudicated`: of how many of `known` a researcher decided the label.
    `compared`: how many of `known` all compared runs have answered, on which `needed` and `is_few` rest; 0 where no
    runs are compared.
    """

    items: int
    labeled: int
    known: int
    against: str
    no_majority: str
    needed: int | None
    is_few: bool
    groups: int = 0
    share_in: float = 1.0
    repeated: int = 0
    split: int = 0
    adjudicated: int = 0
    compared: int = 0

    @property
    def shared(self) -> int:
        """The items that runs are compared on, or could be."""
        return self.compared or self.known

    @property
    def are_coming(self) -> bool:
        return self.share_in < 1


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Do people agree? `common` is the label that they give most often, `share` how often, if that is a skew.

    `level` is α’s; percent agreement and AC1 are nominal. `alike` is there where one role is right for all items:
    agreement beyond 1 / options (Brennan and Prediger 1981), as α takes that role’s share of the labels for chance.
    `contradict`: whether they agree less than their own labels by lot would; `without`, where they do: the one without
    whom α is highest, and that α. `by_chance`, where all labels of each item are alike: how probable that is where
    labels are given by lot. `at_chance`: those who are not shown to beat chance though the others do, if any;
    `differing`: those who give another label than the others' majority more often than the others do, of so many who
    are `tested`; `following`: models that each follow one of them, with names. `reversed`: those whose labels run
    against the others'; `camps`: two groups of people, if they are apart.
    """

    level: Level
    alpha: Estimate
    percent: Estimate
    ac1: Estimate
    common: str
    share: Estimate
    is_skewed: bool
    contradict: bool = False
    alike: Estimate | None = None
    without: tuple[str, float] | None = None
    by_chance: float | None = None
    reversed: tuple[Reversed, ...] = ()
    at_chance: AtChance | None = None
    differing: tuple[int, ...] = ()
    tested: int = 0
    camps: Camps | None = None
    names: tuple[str, ...] = ()
    following: tuple[tuple[str, Follows], ...] = ()

    @property
    def outliers(self) -> tuple[str, ...]:
        """The names of those who differ from the others more often than the others do."""
        return tuple(self.names[rater] for rater in self.differing) if self.names else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One run among those compared, on the items that all of them have labeled.

    `rank` is the range of its place among the models (None for a baseline), with 1 in it where the run is
    `nearest`, and `best` the share of resampled sets of items in which it is first of them (None for a baseline, and
    where all items are of one group): no probability that it is the best. The p are one-sided, each for as many tests
    as there are runs: of being better than chance, better also than its own labels dealt out over the items, worse than
    chance, and further away than the best constant label; `under_constant` is None where there is no constant. `chance`
    is what the run is tested against: of degrees by cut points, what the same ones reach when they are dealt out over
    the items. `shuffled` is that of any run's labels; None by ρ. `nearest`, of a model: none can be told to be nearer;
    `level`: nor a baseline. `joint` is the value with an interval that holds at once for all that are nearest, however
    many the first of them was chosen from.
    `beside`: how much nearer than one person it is, on the same labels. `model` is whose run it is, if that is known.
    `ahead`, of the first of two that cannot be separated: by how much it leads.
    """

    run: int
    name: str
    is_baseline: bool
    how: str
    value: Estimate
    joint: Estimate
    rank: tuple[int, int] | None
    best: float | None
    chance: float
    over_chance: float
    over_dealt: float
    under_chance: float
    under_constant: float | None
    nearest: bool
    level: bool
    beside: Estimate
    shuffled: float | None = None
    model: str = ""
    ahead: Estimate | None = None

    @property
    def beats_chance(self) -> bool:
        return self.over_chance <= LEVEL

    @property
    def is_below_chance(self) -> bool:
        return self.under_chance <= LEVEL

    @property
    def is_told(self) -> bool:
        """Whether it is better than chance, and not by favoring common labels."""
        return self.over_dealt <= LEVEL

    @property
    def is_below_constant(self) -> bool:
        return self.under_constant is not None and self.under_constant <= LEVEL

    @property
    def best_words(self) -> str:
        """For a column, whose head says of what."""
        return "" if self.best is None else resampled(self.best).replace("over", ">").replace("under", "<")

    @property
    def over_chance_words(self) -> str:
        return "no, worse" if self.is_below_chance else in_words(self.beats_chance)

    @property
    def over_dealt_words(self) -> str:
        return in_words(self.is_told)

    @property
    def under_constant_words(self) -> str:
        """Empty where there is no constant."""
        return "" if self.under_constant is None else in_words(self.is_below_constant)

    @property
    def rank_words(self) -> str:
        if self.rank is None:
            return ""
        low, high = self.rank
        return f"{low}" if low == high else f"{low}–{high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """A run with scores: ρ of its strength, and p that there is none, for as many tests as such runs.

    `is_heard`: a model that names no label, which the verdict has a line on.
    """

    run: int
    name: str
    rho: Estimate
    p: float
    is_heard: bool = True

    @property
    def is_told(self) -> bool:
        return self.p <= LEVEL and self.rho.low is not None and self.rho.low > 0

    @property
    def falls(self) -> bool:
        return self.p <= LEVEL and self.rho.high is not None and self.rho.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """What would settle what is open: `items` in all, None where no number would.

    `what`: "chance" (or "favoring" common labels), the model of this `name` that is told soonest; "models", the first
    of those that cannot be told apart; "person", the nearest against one person; empty where nothing is open.
    """

    what: str
    difference: float
    items: int | None
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Which runs are nearest? `placed` from the best to the worst, `items` what all of them have labeled.

    `groups`: how many groups those items come in; 0 where they stand alone.
    """

    items: int
    chance: float
    constant: Constant | None
    placed: tuple[Placed, ...]
    outside: tuple[Outside, ...]
    strengths: tuple[Strength, ...]
    person: Estimate
    settling: Settling
    # Why one person is not compared though labels could be; where the nearest stand without people who are at chance.
    person_withheld: str = ""
    person_without: tuple[Estimate, ...] = ()
    # Whether one role is right for all items, which no constant label stands beside; whether a run may come nearer by
    # favoring a common label; and the rarest class, if one is rare.
    one_role: bool = False
    can_favor: bool = True
    rare: Rare | None = None
    groups: int = 0

    @property
    def of_each_run(self) -> str:
        """How the intervals go with the count of those that beat chance; empty of one run."""
        if len(self.placed) < 2:
            return ""
        after = f"after Holm’s correction over all {len(self.placed):,}"
        return f"Intervals are for single runs; which runs beat chance is tested {after}."

    @property
    def chance_words(self) -> str:
        """What runs are tested against: the lowest and the highest, where they have chances of their own."""
        return spread([one.chance for one in self.placed] or [self.chance])

    @property
    def has_common_chance(self) -> bool:
        """Whether `chance` is what some run is tested against: degrees by cut points have a chance of their own."""
        return any(not one.how for one in self.placed)

    @property
    def constant_words(self) -> str:
        return "" if self.constant is None else number(self.constant.value)

    @property
    def constant_beats_chance(self) -> bool:
        """Whether to know which label is common is enough to be better than chance."""
        return self.constant is not None and self.constant.beats_chance

    @property
    def heard(self) -> tuple[Strength, ...]:
        return tuple(one for one in self.strengths if one.is_heard)

    @property
    def models(self) -> tuple[Placed, ...]:
        return tuple(one for one in self.placed if not one.is_baseline)

    @property
    def noun(self) -> str:
        """What is counted: models, or runs where a model has several."""
        of = [one.model for one in self.models if one.model]
        return "run" if len(set(of)) < len(of) else "model"

    @property
    def counted_words(self) -> str:
        """How many runs of how many models; empty where each is of another model."""
        of = {one.model for one in self.models}
        s = "" if len(of) == 1 else "s"
        return f"{len(self.models):,} runs of {len(of):,} model{s}" if self.noun == "run" else ""

    @property
    def nearest(self) -> tuple[Placed, ...]:
        """The models shown to beat chance that cannot be separated from the best.

        None where it would be one, and others that are not shown to beat chance cannot be separated from it.
        """
        return () if self.only_shown else self.leading

    @property
    def leading(self) -> tuple[Placed, ...]:
        """Of the confidence set, the models that are shown to beat chance."""
        return tuple(one for one in self.models if one.nearest and one.beats_chance)

    @property
    def unshown(self) -> tuple[Placed, ...]:
        """The models that cannot be separated from the leading ones, and are not shown to beat chance."""
        return tuple(one for one in self.models if one.nearest and not one.beats_chance) if self.leading else ()

    @property
    def only_shown(self) -> Placed | None:
        """The one leading model, where it is not shown to be nearer than others."""
        return self.leading[0] if len(self.leading) == 1 and self.unshown else None

    @property
    def is_even(self) -> bool:
        """Whether the nearest are level, each within the interval of the first: else they only could be nearest."""
        if not self.nearest:
            return True
        low, high = self.nearest[0].value.low, self.nearest[0].value.high
        return low is None or high is None or all(low <= (one.value.value or 0.0) <= high for one in self.nearest)

    @property
    def apart(self) -> str:
        """How far two that are tied may be apart; empty of one, of more, and where that is not known."""
        ahead = self.nearest[0].ahead if len(self.nearest) == 2 else None
        return "" if ahead is None else f"difference {ahead.to(2)}"

    @property
    def is_shared(self) -> bool:
        """Whether others cannot be told from the best model, be it better than chance or not."""
        return sum(one.nearest for one in self.models) > 1

    @property
    def level(self) -> tuple[Placed, ...]:
        """The baselines that cannot be told from the best of all runs, where there is a nearest model."""
        return tuple(one for one in self.placed if one.is_baseline and one.level) if self.leading else ()

    @property
    def are_behind(self) -> bool:
        """Whether a baseline is nearer than every model."""
        return bool(self.level) and not any(one.level for one in self.models)


# The parts of a verdict that are said, in their order.
LABELS, PEOPLE, CHANCE, NEAREST, PERSON, SETTLING, STRENGTHS, LEFT_OUT = (
    "labels", "people", "chance", "nearest", "person", "settling", "strengths", "left_out",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """All of it. `headline` is the answer, `subtitle` what all numbers share, `findings` what it rests on, in order,
    `method` how it is known.

    `who` and `figure` are what a list has room for; `figure` is empty where no model is shown to be near. `against` is
    what runs are compared with, as files have it: majority, reference or, by ρ, mean rating, published rating. `words`
    are those of the scale.
    """

    measure: str
    against: str
    words: tuple[str, ...]
    labels: Labels
    people: People
    runs: Runs
    headline: str
    subtitle: str
    findings: tuple[Finding, ...]
    method: str
    who: str
    figure: str

    @property
    def constant_label(self) -> str:
        """The label that the best constant gives, in words."""
        return "" if self.runs.constant is None else self.words[self.runs.constant.code]

    @property
    def short(self) -> str:
        return f"{self.who}: {self.figure}" if self.figure else self.who

    @property
    def sentences(self) -> tuple[str, ...]:
        """For files, which have no column of states: the headline, and all that it rests on."""
        return tuple(filter(None, (self.headline, *(one.text for one in self.findings))))

    @property
    def as_text(self) -> str:
        """To be pasted into a paper or a mail."""
        lines = [f"{one.state.word}: {one.text}" for one in self.findings]
        return "\n".join(filter(None, (self.headline, self.subtitle, *lines)))

    def of(self, *parts: str) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.part in parts)

    def on(self, *parts: str) -> str:
        """What is said on these parts."""
        return " ".join(one.text for one in self.of(*parts))

    @property
    def beside(self) -> str:
        """What stands under the headline where room is short."""
        return " ".join(one.statement for one in self.of(STRENGTHS, LEFT_OUT))

    @property
    def cut_points(self) -> tuple[str, ...]:
        """How labels by cut points came about, if some names have a †."""
        return tuple(dict.fromkeys(one.how for one in self.runs.placed if one.how))
