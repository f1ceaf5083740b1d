"""ADEPT: adjectives and the plausibility of events (Emami et al. 2021)."""
