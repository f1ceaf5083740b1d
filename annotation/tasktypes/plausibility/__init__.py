"""Plausibility: five ordered degrees, from impossible to necessarily true."""
