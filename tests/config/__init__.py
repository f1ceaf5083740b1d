"""How the program is set up, started and served, with real processes where that is the point."""
