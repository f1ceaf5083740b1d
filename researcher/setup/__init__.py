"""What the pages of a study's setup show: one form for each part of the participant's path, and where the path stands.

A field is called as its value in study.toml, with two underscores for the dot; annotation.editing stores it.
Forms of the path are in `forms`, of who is sent in `sending`, of the rules in `rules`; `parts` has all of them.
To add a setting: a field of a form. To add a part: a form, its place in `parts`, and its line in `overview`.
"""
