"""What may be said of runs beside people.

`rule` asks the others in order: `people`, `odds`, `best`, `person`, `settling`; `evidence` is what goes in, `parts`
what comes out, `sentences` how it is said. No other folder of statistics imports it; it may import them all.
To add a part: its file here, its dataclass in `parts`, its place in `rule`, its sentence in `sentences`.
"""
