"""The items of a draft, changed without its folder: put in, changed and taken out.

`rows` reads them as rows of an item file, `items` has the verbs, says what the study's hash becomes, and changes the
words of an item that nobody has seen yet; `gold` takes what a pilot's annotators agreed on. What they come to is what
loading a folder of those items makes, with the same hash, and costs as much as what changes. A study that has opened
keeps its items, since people have labeled among them.
"""
