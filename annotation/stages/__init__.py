"""A participant's path: information, consent, instructions, comprehension, practice, items, questionnaire, debriefing.

`declared` holds what a study says of its stages and is free of Django; `order` says which stage comes after which,
`flows` has what is stored at each stage and where it leads, `items` the items' own, and `preview` shows the path to
researchers. The server owns the place (`Sitting.stage`). Imports models, assignment and arrival.
To add a stage: its table in annotation/studyfile/stages.py, what it declares in `declared`, a word of Sitting.Stage, a
function in `flows`, a page in annotation/views/stages.py, and its row in docs/studies.md.
"""
