"""What leaves a study as a file that a worker makes where it is large: downloads, the data set, the report.

Above all else in comparison, since each may be of any of it. Pages and the API ask here; the tasks that make the files
are researcher's, and are known by their names alone.
"""
