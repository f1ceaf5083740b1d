"""One module for each tool whose files are read: `recognized`, and a function for each use (contract.py above).

A module may import what stands in corpus/formats and corpus/tables, and no other tool's.
"""
