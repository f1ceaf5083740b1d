"""Models small enough to be made inside a test, in folders as real ones come."""
