"""One label for an item out of several people's.

`aggregate` is what every way gives, `voting` has those by votes; the learned ones are in comparison/frame/crowd.py.
May import accuracy and resampling.
To add a way: a function that returns an `Aggregate`, and its line in comparison/frame/ways.py.
"""
