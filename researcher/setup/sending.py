"""Who sends participants, who of them may begin, and how many."""

from django import forms

from annotation.platforms import PLATFORMS
from annotation.platforms.contract import Outcome, Recovery
from annotation.studyfile.leaving import EVERY, HOME, REDIRECT
from researcher.setup.part_form import Lines, PartForm, line, pick, tick, whole

PLATFORM_NAMES = {
    "prolific": "Prolific",
    "panel": "Another panel, by templates",
    "mturk": "Mechanical Turk (ExternalQuestion)",
    "volunteers": "My own volunteers",
}
# For each outcome, whose it is.
WHO = {
    Outcome.COMPLETED: "answered everything",
    Outcome.FAILED_CHECKS: "broke the quality policy; without a code of their own they get that of completed",
    Outcome.SCREENED_OUT: "may not take part, by the comprehension questions or by a list",
    Outcome.NO_CONSENT: "did not agree",
    Outcome.QUOTA_FULL: "came when nothing was left",
    Outcome.TOO_LATE: "came too late, or was away until the items had gone to others",
    Outcome.WITHDRAWN: "left for good",
}


class PlatformForm(PartForm):
    key, heading = "platform", "Platform, codes and ways back"
    says = "Who sends participants, and what they hand in and where they are led, for each way in which a sitting ends."

    of_path = False

    collection__platform = pick(
        "Who sends participants",
        [("", "Nobody in particular: an open link"), *((key, PLATFORM_NAMES[key]) for key in PLATFORMS)],
        "It sets what ids look like, by which parameters they come, and where people are led back to, unless you have "
        "said otherwise.",
    )

    def more_fields(self) -> dict[str, forms.Field]:
        codes = {f"codes__{one.value}": line(f"Code for {one.words}") for one in Outcome}
        addresses = {f"return__{one.value}": line(f"Address for {one.words}") for one in Outcome}
        platform = PLATFORMS.get(self.study.platform)
        every, home = (platform.address, platform.home) if platform else ("", "")
        return {
            **codes,
            f"return__{EVERY}": line(
                "One address for every outcome",
                "With {code} or {outcome} in it, so that outcomes are told apart. Empty: people get their code and no "
                "button." + _own(every, self.study.addresses.get(EVERY)),
            ),
            **addresses,
            f"return__{HOME}": line(
                "Where those are led for whom there is no code",
                "Such as the platform’s front page. Empty: nowhere." + _own(home, self.study.addresses.get(HOME)),
            ),
            f"return__{REDIRECT}": tick("The last page goes there by itself after 20 seconds"),
        }

    @property
    def outcomes(self) -> list[tuple[Outcome, str, forms.BoundField, forms.BoundField]]:
        return [(one, who, self[f"codes__{one.value}"], self[f"return__{one.value}"]) for one, who in WHO.items()]

    @property
    def has_own_addresses(self) -> bool:
        """Whether what is folded away says something, or is wrong."""
        return any(address.value() or address.errors for _, _, _, address in self.outcomes)

    @property
    def of_all(self) -> list[forms.BoundField]:
        return [self[f"return__{name}"] for name in (EVERY, HOME, REDIRECT)]


class IdsForm(PartForm):
    key, heading = "ids", "Ids, and who may begin"
    says = "What a link carries of a participant, and whom the study turns away. Most of it comes from the platform."
    of_path = False
    # It decides what holds where nothing is said.
    beside = ("collection.platform",)
    sections = (
        (
            "The id",
            "Without one, each browser counts as one annotator.",
            ("collection__id_parameter", "collection__id_required", "collection__id_pattern", "collection__signed_ids"),
        ),
        (
            "What else the link carries",
            "Both are kept with the sitting.",
            ("collection__study_parameter", "collection__session_parameter"),
        ),
        (
            "Who may begin, and go on",
            "A sitting belongs to the browser that began it.",
            ("collection__recovery", "collection__excludes"),
        ),
        ("How long ids are kept", "", ("collection__forget_after_days",)),
    )

    collection__id_parameter = line("Query parameter with the id", "Such as PROLIFIC_PID in ?PROLIFIC_PID=…")
    collection__id_required = tick(
        "Nobody begins without an id", "An empty id, or a placeholder that was not filled in, is refused in a sentence."
    )
    collection__id_pattern = line(
        "Pattern of ids", "A regular expression that every id fits as a whole, such as [0-9a-f]{24}. Empty: any id."
    )
    collection__signed_ids = tick(
        "Nobody begins without a personal link", "Make them from your ids in Collect, under Links."
    )
    collection__study_parameter = line("Query parameter with the platform’s id of the study")
    collection__session_parameter = line("Query parameter with the platform’s id of the visit")
    collection__recovery = forms.MultipleChoiceField(
        label="By what somebody may go on in another browser",
        choices=[
            (Recovery.SESSION.value, "The platform’s id of the visit, if it is the same"),
            (Recovery.PERSONAL_LINK.value, "Their personal link"),
        ],
        help_text="With neither, only you can let them, in the payment queue.",
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    collection__excludes = Lines(
        label="Studies whose participants may not begin here",
        help_text="Their names in addresses, one on a line. Lists of ids are imported in Collect.",
    )
    collection__forget_after_days = whole(
        "Days until a platform’s id is erased",
        "Counted from when somebody was here last, paid or not. 0: never by itself.",
        least=0,
        most=3650,
    )


class LimitsForm(PartForm):
    key, heading = "limits", "Limits on starts"
    says = "So that invented ids, or a link that gets around, cannot take a study’s items."
    of_path = False

    collection__max_starts = whole(
        "Sittings that begin by one link, at most",
        "0: any number. Starts that came to nothing (declined, screened out, left) make room again. It holds for every "
        "link that has no limit of its own below.",
        least=0,
        most=1_000_000,
    )
    collection__max_unanswered = whole(
        "Sittings of one link that hold items without an answer yet, at once",
        "0: any number, as for a class that begins together.",
        least=0,
        most=1_000_000,
    )


def _own(address: str, now: str | None) -> str:
    """Where the field does not show it."""
    return f" The platform’s own: {address}" if address and address != now else ""
