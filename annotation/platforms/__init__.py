"""Those who send participants: what their ids look like, how they are told how it ended, and their rules.

Free of Django: study files are read by it. To add a platform: a `Platform` in `senders`, its name below, its row in
docs/studies.md, and an example in examples/.
"""

from annotation.platforms.contract import Platform
from annotation.platforms.senders import MTURK, PANEL, PROLIFIC, VOLUNTEERS

PLATFORMS: dict[str, Platform] = {platform.key: platform for platform in (PROLIFIC, PANEL, MTURK, VOLUNTEERS)}

__all__ = ["PLATFORMS", "Platform"]
