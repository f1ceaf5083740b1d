"""What other tools write, read as the rows that our importers take, with no tool installed.

`registry` names the formats and says whose a file is by its head, `source` is a file, a packed folder or a folder as
members with bounds, `json_text` and `columnar` read what nobody vouches for, `reading` makes records of it, `apart`
does all that in a confined process of its own, for pages. `tools/` has a module for each tool, which yields records
(`contract`) for what it is read for: `scores`, `texts`, `labels`, `items`. No script of a file is run, nothing
is unpickled, no address is fetched.

To add a format: its module in `tools/`, its line in `registry.FORMATS` (pages and commands take files that end as it
says), a file that the tool wrote under tests/corpus/formats/written/, and its row in docs/formats.md.
"""
