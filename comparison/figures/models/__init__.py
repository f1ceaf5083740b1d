"""Figures of models: how near they are, how far apart, and what they follow."""
