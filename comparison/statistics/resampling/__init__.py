"""Items drawn anew for intervals, and items that stay together when something is learned from the others.

`sample` says what is drawn, `bootstrap` and `left_out` give intervals, `clusters` and `folds` keep together what hangs
together. May import counts and estimates only; every other folder here may import it.
To add a way: a file here named after it, with the paper that it is from.
"""
