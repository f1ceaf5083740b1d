"""What each page asks of PostgreSQL where a study has ten million labels: `made` writes the rows, `plans` says how the
database answers, `pages` which pages there are.
"""
