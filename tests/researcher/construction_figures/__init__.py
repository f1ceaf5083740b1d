"""What constructions find out, on its page and as files."""
