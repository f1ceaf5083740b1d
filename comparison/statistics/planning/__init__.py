"""How many items and labels a study needs, when collecting may stop, and where the next label tells the most."""
