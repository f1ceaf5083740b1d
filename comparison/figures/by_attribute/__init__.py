"""The figures of the Breakdown page: a file each, and `attribute`, which says how the attribute is taken."""
