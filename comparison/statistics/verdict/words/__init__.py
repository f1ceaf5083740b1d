"""What a verdict's parts are in words, a file a part; `wording` has what they share, `sentences` above the order.

May import the parts and the evidence, and computes nothing.
"""
