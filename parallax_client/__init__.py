"""Parallax from Python: from a table to a study, and from a study to tables.

Installed by itself (`pip install ./parallax_client`); needs httpx, and pandas only where a frame is asked for. Knows
the API by its addresses alone: no room of the house is imported here, and none imports this.
To add a verb: a method of `study.Study`, or of `client.Client` where it is of no study; its line in docs/api.md.
"""

from parallax_client.asking import Fault, ParallaxError, TimedOut
from parallax_client.client import Client
from parallax_client.study import Study, Verdict

__all__ = ["Client", "Fault", "ParallaxError", "Study", "TimedOut", "Verdict"]
