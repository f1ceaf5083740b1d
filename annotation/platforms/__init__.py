"""Those who send participants: what their ids look like, how they are told how it ended, and their rules.

Free of Django: study files are read by it. To add a platform: a module here with a `Platform`, a line below, its row in
docs/studies.md, and an example in examples/.
"""

from annotation.platforms.contract import Platform
from annotation.platforms.mturk import MTURK
from annotation.platforms.panel import PANEL
from annotation.platforms.prolific import PROLIFIC
from annotation.platforms.volunteers import VOLUNTEERS

PLATFORMS: dict[str, Platform] = {platform.key: platform for platform in (PROLIFIC, PANEL, MTURK, VOLUNTEERS)}

__all__ = ["PLATFORMS", "Platform"]
