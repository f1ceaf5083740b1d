"""Files brought into a study: uploaded, recognized, their columns mapped, imported by a job, with a result.

A kind of file is one `FileKind` in KINDS (`kinds`): its columns, the guess, the words of its pages, what else is asked,
and what a worker does. `forms` has the two forms of all kinds, `head` the first look at a file, and
researcher/views/imports.py the flow. To add a kind: a module such as `labels`, its line in KINDS, its name in JobKind
(with a migration), its two addresses.
"""
