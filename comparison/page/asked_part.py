"""The results' section on runs that were asked in words: their figures, and what is to be read off them."""

from collections.abc import Iterable
from dataclasses import dataclass

from comparison.figures.models.asked import AskedRun, Beside
from comparison.pictures.charts import BASELINE, MODEL, Band, Dot, Spec, dot_plot
from comparison.statistics.estimate import Estimate

EVEN = Estimate(0.0)


@dataclass(frozen=True, slots=True)
class AskedPart:
    """One asked run. `places` and `beside` are chart specifications, None where there is nothing to draw."""

    run: AskedRun

    @property
    def places(self) -> Spec | None:
        return _places(self.run)

    @property
    def beside(self) -> Spec | None:
        return _beside(self.run)

    @property
    def places_chart(self) -> str:
        """What the figure is called on the page and in a download's name."""
        return f"places-{self.run.key}"

    @property
    def beside_chart(self) -> str:
        return f"asked-{self.run.key}"

    @property
    def places_caption(self) -> str:
        return (
            "How far the mean probability of a place is above the mean of the places that held the same options, "
            "with 95 % intervals. Without bias all places are at the line, 0."
        )

    @property
    def beside_caption(self) -> str:
        return (
            f"How often another run gives the same label as {self.run.name}, with 95 % intervals (Wilson). "
            "Circles are models, diamonds baselines."
        )

    @property
    def measured(self) -> tuple[Beside, ...]:
        """The same model's other runs: whether asking and measuring agree."""
        return tuple(other for other in self.run.beside if other.is_same_model)

    @property
    def verdict(self) -> str:
        """What the interval of the first place's lead says; empty where it has none."""
        lead = self.run.bias.lead
        if lead.low is None or lead.high is None:
            return ""
        if lead.low > 0:
            return "it favors options that come first"
        return "it favors options that come last" if lead.high < 0 else "no lead of either end is shown"


def asked_parts(runs: Iterable[AskedRun]) -> tuple[AskedPart, ...]:
    return tuple(AskedPart(run) for run in runs)


def _places(run: AskedRun) -> Spec | None:
    dots = [Dot.of(f"Place {number}", run.name, MODEL, above) for number, _, above in run.bias.rows]
    ends = [abs(end) for above in run.bias.above for end in (above.value, above.low, above.high) if end is not None]
    # Half a unit holds nearly every model; the rest get the whole one rather than a cut-off dot.
    reach = 0.5 if max(ends, default=0.0) <= 0.5 else 1.0
    return dot_plot(
        dots,
        axis="Mean probability above an even share",
        band=Band(EVEN, MODEL, "without bias"),
        domain=(-reach, reach),
        title=f"{run.name}, n = {run.bias.lead.n:,} items",
    )


def _beside(run: AskedRun) -> Spec | None:
    dots = [
        Dot.of(other.name, other.name, BASELINE if other.is_baseline else MODEL, other.same.accuracy)
        for other in run.beside
    ]
    title = f"The same label as {run.name}"
    return dot_plot(dots, axis="Share of items decided alike", band=None, domain=(0, 1), title=title)
