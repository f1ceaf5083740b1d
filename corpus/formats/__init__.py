"""What other tools write, read as the rows that our importers take: one module a format, and no tool installed.

`registry` names the formats, `source` is a file, a packed folder or a folder as members with bounds, `json_text` reads
JSON that nobody vouches for, `reading` makes records of it, `recognizing` says whose file it is by its head, and
`apart` does all that in a process with limits of its own, for pages. A format's module yields records (`contract`) for
what it is read for: `scores`, `texts`, `labels`, `items`. No script of a file is run, nothing is unpickled, no address
is fetched. To add a format: its module here, its line in `registry.FORMATS`, a file that the tool wrote under
tests/corpus/formats/written/, and its row in docs/formats.md.
"""
