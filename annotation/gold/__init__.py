"""Gold items from a pilot: what all of its annotators agreed on becomes what the next study's annotators are held to.

`unanimous` says which items these are, `taking` adds them to a draft. ADEPT's gold came about like this (Emami et al.
2021, section 4.1).
"""
