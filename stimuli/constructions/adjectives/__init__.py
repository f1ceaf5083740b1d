"""Adjectives and plausibility, made from a corpus and ConceptNet by ADEPT's pipeline (Emami et al. 2021)."""
