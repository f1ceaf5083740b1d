"""What annotators read first. Our own words; the degrees are ADEPT's."""

from stimuli.datasets.adept.wording import DEGREES

INSTRUCTIONS = f"""{DEGREES}\
Read the sentences as one would tell a story: "a dog" is some dog. They were put together by a program, and some are \
clumsy; judge what they are meant to say. A few items ask for a certain answer; please give it.
"""
