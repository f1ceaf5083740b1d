"""A study from a file, in the browser: what was uploaded (`uploads`), which columns are what (`columns_form`).

What is read and made is stimuli's (stimuli/datasets/table/), which `import_study table` calls too, and storing it is
researcher/making.py's. To let the form ask more: a field in `columns_form`, and the same in `table.making.Asked`.
"""
