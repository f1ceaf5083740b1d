"""Whether people agree, in words; who of them is at chance, and whom a run follows."""

from collections.abc import Iterator

from comparison.statistics.agreement.at_chance import AtChance
from comparison.statistics.agreement.camps import Camps
from comparison.statistics.agreement.following import Follows
from comparison.statistics.agreement.reversed import Reversed
from comparison.statistics.estimate import Estimate, counted, percent
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.parts import Labels, People
from comparison.statistics.verdict.words.wording import MOST_NAMES, capital, listed, number, spread

# Krippendorff (2004), Content Analysis, page 241: conclusions from .8 on, tentative ones from .667.
GOOD, TENTATIVE = 0.8, 0.667
# Below that, the bands of Landis and Koch (1977), Biometrics 33: 159–174, page 165: moderate from .4, fair from .2.
MODERATE, FAIR = 0.4, 0.2
# Full agreement that chance gives more often than this shows nothing.
BY_CHANCE = 0.05
# Of larger camps the sizes are said.
MOST_IN_A_CAMP = 10


def on_people(found: People, labels: Labels, many: str) -> str:
    if not labels.labeled:
        return ""
    if found.alike is not None and found.alike.value is not None:
        return _on_one_role(found, found.alike, labels, many)
    if found.alpha.value is None:
        beyond = "" if found.percent.value is None else f" beyond percent agreement, {found.percent.short},"
        return f"Agreement of {many}{beyond} is undefined: {found.alpha.undefined}."
    figures = f"{found.level} α = {found.alpha.short}, percent agreement {found.percent.short}, AC1 {found.ac1.short}"
    figures += " (both nominal)" if found.level != "nominal" else ""
    noise = " What models are compared with may be noise." if labels.against == MAJORITY else ""
    if found.contradict:
        cause = f" Without {found.without[0]}, α is {number(found.without[1])}." if found.without else ""
        return f"{capital(many)} contradict one another: {figures}.{cause}"
    if found.by_chance is not None and found.by_chance > BY_CHANCE:
        share = f"{100 * found.by_chance:.0f} % of the time"
        return f"{capital(many)} agree on every item, which labels by lot do {share}: {figures}.{noise}"
    if found.is_skewed and found.share.value is not None:
        skew = f"{number(found.share.value)} of all labels are “{found.common}”"
        if is_noise(found):
            few = f"{noise[:-1]}, or the other labels are too few to tell." if noise else ""
            return f"{skew}; agreement of {many} beyond that is not shown: {figures}.{few}"
        return f"{skew}, and with such a skew α is low even where {many} agree: {figures}.{_together(found)}"
    if is_noise(found):
        return f"{capital(many)} are not shown to agree beyond chance: {figures}.{noise}"
    return f"{capital(many)} agree {_how_far(found.alpha)}: {figures}.{_together(found)}"


def _together(found: People) -> str:
    """What models are held against is no single label."""
    if found.together is None or found.together.value is None:
        return ""
    return f" All labels of an item together have a reliability of {found.together.short} (Spearman–Brown)."


def _on_one_role(found: People, alike: Estimate, labels: Labels, many: str) -> str:
    """Where α would take the share of the role that is always right for chance."""
    figures = f"Brennan–Prediger {alike.short}, percent agreement {found.percent.short}, AC1 {found.ac1.short}"
    if is_noise(found):
        noise = " What models are compared with may be noise." if labels.against == MAJORITY else ""
        return f"{capital(many)} are not shown to agree beyond chance: {figures}.{noise}"
    why = "α does not apply: one role is right for every item, and α takes that role’s share of the labels for chance."
    return f"{capital(many)} agree {_how_far(alike)}: {figures}. {why}"


def _how_far(alpha: Estimate) -> str:
    """By the low end of the interval: few items can give a high α by chance.

    >>> _how_far(Estimate(0.85, 0.81, 0.9, n=300)), _how_far(Estimate(0.7, 0.3, 1.0, n=12))
    ('well', 'at least weakly')
    """
    degrees = [_band(end) for end in (alpha.value or 0.0, alpha.value or 0.0 if alpha.low is None else alpha.low)]
    return degrees[1] if degrees[0] == degrees[1] else f"at least {degrees[1]}"


def _band(end: float) -> str:
    bands = ((GOOD, "well"), (TENTATIVE, "for the most part"), (MODERATE, "in part"), (FAIR, "weakly"))
    return next((word for least, word in bands if end >= least), "barely")


def is_noise(found: People) -> bool:
    """Whether their labels are not shown to agree beyond chance, which with a skew is to agree often too."""
    if found.by_chance is not None and found.by_chance > BY_CHANCE:
        return True
    asked = found.alpha if found.alike is None else found.alike
    if asked.value is None:
        return False
    return (asked.value if asked.low is None else asked.low) <= 0


def on_some(found: People, evidence: Evidence) -> Iterator[str]:
    """On those whose labels run against the others', camps, those at chance, and each run that follows somebody."""
    if found.reversed:
        yield _on_reversed(found.reversed, found.names, evidence)
    if found.camps:
        yield _on_camps(found.camps, found.names, evidence.many)
    if found.at_chance:
        yield _on_chance(found.at_chance, found.names, evidence.many)
    yield from (_on_following(run, found.names[one.rater], one) for run, one in found.following)


def _on_reversed(found: tuple[Reversed, ...], names: tuple[str, ...], evidence: Evidence) -> str:
    if len(found) <= MOST_NAMES and names:
        who = listed([f"{names[one.rater]} (r = {one.r.short}, {counted(one.r.n, 'item')})" for one in found])
    else:
        who = f"{len(found):,} {evidence.many} (r = {spread([one.r.value or 0.0 for one in found])})"
    cause = "the scale may have been read upside down" if evidence.ordered else "the two labels may have been mixed up"
    return f"Labels of {who} run against the others’; {cause}."


def _on_chance(found: AtChance, names: tuple[str, ...], many: str) -> str:
    """
    >>> _on_chance(AtChance(raters=(1,), of=5, share=0.4), ("a1", "a2"), "annotators")
    '1 of 5 annotators (a2) gave 40 % of the labels and is not shown to beat chance by the others’ majority.'
    """
    told = 0 < len(found.raters) <= MOST_NAMES and names
    who = f" ({listed([names[rater] for rater in found.raters])})" if told else ""
    shown = "is not shown" if len(found.raters) == 1 else "are not shown"
    share = f"gave {percent(found.share)} of the labels"
    return (
        f"{len(found.raters):,} of {found.of:,} {many}{who} {share} and {shown} to beat chance by the others’ majority."
    )


def _on_camps(found: Camps, names: tuple[str, ...], many: str) -> str:
    """
    >>> _on_camps(Camps(one=(0, 1, 4), other=(2, 3), alike=(0.82, 0.8, 0.55)), tuple("ABCDE"), "annotators")
    'Annotators fall into two camps: A, B and E (.82 of label pairs alike) against C and D (.80); across camps .55.'
    """
    sides = (found.one, found.other)
    if names and max(map(len, sides)) <= MOST_IN_A_CAMP:
        one, other = (listed([names[rater] for rater in side]) for side in sides)
    else:
        one, other = (f"{len(side):,} {many}" for side in sides)
    within, among, across = (number(share) for share in found.alike)
    return (
        f"{capital(many)} fall into two camps: {one} ({within} of label pairs alike) against {other} ({among}); "
        f"across camps {across}."
    )


def _on_following(run: str, name: str, found: Follows) -> str:
    items = counted(found.items, "item")
    return (
        f"{run} may be a copy of {name}, or read items as {name} does: on {items} it gives {name}’s label "
        f"{number(found.alike)} of the time and the others’ {number(found.others)}, more than skill and "
        "a bias in common account for."
    )
