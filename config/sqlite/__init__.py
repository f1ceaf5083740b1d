"""SQLite, with a queue for those who begin to write."""
