"""What annotators read first. Our own words; the degrees are ADEPT's."""

INSTRUCTIONS = """\
You will see two sentences. The second is the first with one adjective added; the adjective is marked.

Ask yourself how the adjective changes the chances. Compared with the first sentence, what the second one says is:

Impossible: it cannot happen.

Less likely: it can happen, but the adjective makes it less likely.

Equally likely: the adjective makes no difference.

More likely: the adjective makes it more likely.

Necessarily true: with the adjective it cannot fail to be true.

Read the sentences as one would tell a story: "a dog" is some dog. They were put together by a program, and some are \
clumsy; judge what they are meant to say. A few items ask for a certain answer; please give it.
"""
