"""Tests that suppose no shape of what is tested: signs of leads, labels dealt out, bets on groups.

May import counts and resampling only; what is compared with what, and by which measure, is said where they are used.
To add one: a file here named after it, with the paper that it is from, and a world in its test where there is nothing.
"""
