"""Items in a file, in the browser: the file's job and the study made of it (`making`), the page that takes the file
(`start_form`), and the one on which its columns are said to be what (`columns_form`).

What is read and made is stimuli's (stimuli/datasets/table/), which `import_study table` calls too, and storing it is
researcher/making.py's. To let the form ask more: a field in `columns_form`, and the same in
`table.making.TableOptions`.
"""
