"""Items drawn anew for intervals, and items that stay together when something is learned from the others.

`sample` says what is drawn and what items are worth that hang together; `bootstrap` and `left_out` give intervals. May
import counts and estimates only; every other folder here may import it.
To add a way: a file here named after it, with the paper that it is from.
"""
