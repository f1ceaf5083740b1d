"""Marvin and Linzen (2018): minimal pairs of agreement and reflexives, by the rule of the notebook."""
