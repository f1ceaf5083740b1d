"""What the pages of a study's setup show: one form for each part of the participant's path, and where the path stands.

A field is called as its value in study.toml, with two underscores for the dot; annotation.editing stores it.
To add a setting: a field of a form in `forms`. To add a part: a form there, and its line in `overview`.
"""
