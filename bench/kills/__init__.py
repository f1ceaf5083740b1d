"""Sixty random kills while people label and workers work.

`processes` runs the processes of a server and kills them, `work` keeps work of every kind running, `watching` reads
/metrics meanwhile, and `picture` draws what it read.

The people are those of bench.crowd, and so is what must hold of their labels.
"""
