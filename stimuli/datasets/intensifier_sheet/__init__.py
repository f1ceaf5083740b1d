"""The published sheet of adverbs against "not" (Lorge and Pierrehumbert 2023)."""
