"""Long work that researchers ask for on a page: studies made of text and published data, files brought in.

A job is a row (researcher/models.py) with a folder for its files (`folder`). `starting` has its verbs and messages,
`working` a worker's part; `form` asks what a construction or a data set declares (stimuli/making/options.py),
and `page` is what is shown. To add a kind: its name in JobKind, what does it in `working`, its line in DOERS there.
"""
