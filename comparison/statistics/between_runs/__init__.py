"""Whether two or more runs differ on the same items."""
