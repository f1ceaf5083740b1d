"""What another quality policy would do to the answers that a study has: read, computed, and nothing changed.

`effect` is pure; `reading` has the rows. Used by the page and by the command `whatif`.
"""
