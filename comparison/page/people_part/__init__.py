"""What the People part shows of single raters, beside what it shows of all of them together.

Imports frame and statistics. To add a section: findings and how they are read in a file beside this one.
"""
