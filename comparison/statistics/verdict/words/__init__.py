"""What a verdict's parts are in words; `wording` has what they share, `sentences` above the order.

May import the parts and the evidence, and computes nothing.
"""
