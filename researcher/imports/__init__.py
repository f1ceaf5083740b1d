"""Files brought into a study: uploaded, recognized, their columns mapped, imported by a job, with a result.

A kind of file is one `FileKind` (`kind`), listed in KINDS (`registry`): its columns, the guess, its command and deed,
the words of its pages, what else is asked, and what a worker does. `forms` has the two forms of all kinds, `head` the
first look at a file, and researcher/views/imports.py the flow. To add a kind: a module such as `labels`, its line in
KINDS, its name in JobKind (with a migration), what formats are read for (`Use` in corpus/formats/contract.py), its two
addresses in researcher/urls.py, their rights and jobs in tests/house/walk/, a file in FILES of
tests/researcher/jobs/test_acts.py.
"""
