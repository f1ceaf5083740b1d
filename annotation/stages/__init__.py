"""A participant's path: information, consent, instructions, comprehension, practice, items, questionnaire, debriefing.

`declared` holds what a study says of its stages and is free of Django; `order` says which stage comes after which,
`walking` goes on where nothing else is stored, and every other module is one stage's flow. The server owns the place
(`Sitting.stage`). Imports models, assignment and arrival. To add a stage: its table in annotation/studyfile/stages.py,
what it declares in `declared`, a word of Sitting.Stage, a flow here, a page in annotation/views/stages, and its row in
docs/studies.md.
"""
