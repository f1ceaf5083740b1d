"""The figures of the results: one object a figure, in one file, from its computation to its tables and its file.

`figure` says what a figure is, `table` what a table is and `file` what a download is; `registry` lists every figure.
Imports the frame, the glossary, pictures and statistics; pages, exports and the report ask here.
To add one: a file in the folder of its part, and its line in the registry. Words that explain it on its page stand in
`templates/comparison/_KEY.html`, if it needs any.
"""
