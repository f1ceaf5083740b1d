"""What leaves a study as a file that a worker makes where it is large: downloads, the data set, the report.

Above all else in comparison, since each may be of any of it. Pages and the API ask here; comparison/tasks.py makes the
files.
"""
