"""Sixty random kills while people label and workers work.

`processes` runs what a server runs and kills it, `work` keeps work of every kind under way, `watching` reads /metrics
meanwhile, `picture` draws what was read.

The people are those of bench.crowd, and so is what must hold of their labels.
"""
