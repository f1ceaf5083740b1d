"""What the pages of a study's setup show: one form for each part of the participant's path, and where the path stands.

A field is called as its value in study.toml, with two underscores for the dot; annotation.editing stores it.
`part_form` makes the fields of settings, and the forms of one question or field; `parts` has the form of each part.
To add a setting: docs/design.md, "To add one more". To add a part: a form in `parts`, and its line in `overview`.
"""
