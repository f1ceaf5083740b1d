"""What the page of all models shows: each model with its runs, and one leaderboard over all studies.

Reads rows and remembered verdicts; computes nothing that the list of studies does not. No request.
"""
