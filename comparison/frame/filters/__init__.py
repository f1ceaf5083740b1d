"""What a reader asked to see: the address as a selection of items, and the numbers that items are chosen by.

To add a number to choose by: `ranges`, its two fields in `selection`, and where it is read in `numbers`.
"""
