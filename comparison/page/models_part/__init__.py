"""The Models part of the results: its leaderboard. Findings in, rows and words out."""
