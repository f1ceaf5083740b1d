"""How fast sentences are scored beside minicons and others: `python -m bench.scoring`, which says how."""
