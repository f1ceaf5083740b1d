"""What the Breakdown part shows besides accuracy by value: whose labels are which, numbers, tests, and tables of two.

Lives here: a finding a file, with the chart that is drawn of it; part.py reads them, each remembered. Imports frame,
statistics and the charts beside this room.
To add one: a file here, a property of `ByAttribute`, a template, an export, and its words in the glossary.
"""
