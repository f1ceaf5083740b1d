"""Making a study in the browser: the task and the items (`start`), then which columns are what (`columns`).

What they show and make is researcher/new_study/'s.
"""
