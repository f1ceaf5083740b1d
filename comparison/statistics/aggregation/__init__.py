"""One label for an item out of several people's."""
