"""The figures of the results: one object a figure, in one file, from its computation to its tables and its file.

`figure` says what a figure is, `table` what a table is and `file` what a download is; `registry` lists every figure.
Imports the frame, the glossary, pictures and statistics; pages, exports and the report ask here.
To add one: a file in the folder of what it is about, and its line in the registry. It stands at the end of its page:
answer, pictures, tables and download. Where there is a template `templates/comparison/_<key>.html`, it shows
and explains them instead.
A figure's module is imported by the web process: it may not import pandas, nor a module that does (`frame.reading`),
but inside a function that computes, and SciPy only as a whole, whose parts are loaded when they are named
(`tests/config/test_web_process.py`).
"""
