"""A study's report as one bundle of files that can be made again to the byte: from what the results show, nothing new.

`making` puts it together, a module makes each kind of file. Imports exports, page and frame; no
request and no address. No file says when it was made; whose labels it holds, every file says.
To add a file: a module that gives its text or writes it, a line in STEPS of `making`, a line in docs/exports.md.
"""
