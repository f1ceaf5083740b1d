"""What annotators of an ADEPT study read first. Our own words; the degrees are ADEPT's."""

DEGREES = """\
You will see two sentences. The second is the first with one adjective added; the adjective is marked.

Ask yourself how the adjective changes the chances. Compared with the first sentence, what the second one says is:

Impossible: it cannot happen.

Less likely: it can happen, but the adjective makes it less likely.

Equally likely: the adjective makes no difference.

More likely: the adjective makes it more likely.

Necessarily true: with the adjective it cannot fail to be true.

"""

INSTRUCTIONS = f"""{DEGREES}\
The sentences were collected by a program and some are clumsy. Judge what they are meant to say.
"""
