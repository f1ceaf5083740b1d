"""The Models part of the results: its leaderboard, and what its folded sections answer in one line.

Findings in, rows and words out; and the findings of runs that no other part shows. To add a section: its line in
`folds.py`, and its template under the same key in `templates/comparison/`.
"""
