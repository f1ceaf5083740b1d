"""What may be made of a run's strengths: correlations, ranks, surprisal, and degrees by cut points."""
