"""Those who send participants: what their ids look like, and where somebody who cannot take part is led back to.

Free of Django: study files are read by it. To add a platform: a module here with a `Platform`, a line below, and its
row in docs/studies.md.
"""

from annotation.platforms.contract import Platform
from annotation.platforms.prolific import PROLIFIC

PLATFORMS: dict[str, Platform] = {platform.key: platform for platform in (PROLIFIC,)}

__all__ = ["PLATFORMS", "Platform"]
