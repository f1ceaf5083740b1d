"""Any panel: it says who comes by `id`, and each outcome has an address, which the study file names."""

from annotation.platforms.contract import Platform, Rules
from annotation.platforms.outcome import Outcome


def warnings(rules: Rules) -> list[str]:
    if "address" in rules.addresses:
        return []
    missing = [outcome for outcome in Outcome if outcome not in rules.addresses]
    if not missing:
        return []
    return [f"[return] names no address for {', '.join(missing)}: who ends so has no way back to the panel."]


PANEL = Platform(
    key="panel", id_parameter="id", study_parameter="study", session_parameter="session", warnings=warnings
)
