"""What is kept of a person, and how it is erased: the platform's ids of all who are paid, or all that one has left.

`ids` erases ids when payment is decided or a study's time is up, `person` shows everything about one annotator,
`erasing` takes it away. Imports models, arrival and annotation.quality. A new table that points at a sitting is
exported by itself, and erased by itself unless `erasing` names it.
"""
