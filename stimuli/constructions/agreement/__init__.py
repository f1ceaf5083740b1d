"""Minimal pairs of subject–verb agreement, built from a written grammar."""
