"""Items drawn anew for intervals, and items that stay together when something is learned from the others."""
