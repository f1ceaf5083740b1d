"""AltBoolQ: BoolQ with its entities exchanged (Shen 2022, the seed of this construction)."""
