"""Where somebody goes from here: the code for how it ended, and the way back to whoever sent them.

`way_back` says both, of a sitting and of a visitor who never began. Imports the rows, platforms and arrival.
To add what an address can carry: PLACEHOLDERS in annotation/platforms/addresses.py.
"""
