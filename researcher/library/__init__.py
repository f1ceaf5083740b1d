"""What the page of all models shows: models over studies by mean rank, and each model with its runs.

Reads rows and remembered verdicts; computes nothing that the list of studies does not. No request.
"""
