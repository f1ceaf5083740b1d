"""The items of a draft, changed without its folder: put in, changed and taken out.

`rows` reads them as rows of an item file, `items` has the verbs. What they come to is what loading a folder of those
items makes, with the same hash. A study that has opened keeps its items: whoever has labeled did so among them.
"""
