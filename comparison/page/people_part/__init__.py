"""What the People part shows of single raters, beside what it shows of all of them together.

Imports frame and statistics. To add a section: findings in a file beside this one, and how they are read, in
page/reading.py.
"""
