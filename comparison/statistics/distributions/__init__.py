"""Whole distributions of labels beside one another."""
