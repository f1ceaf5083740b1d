"""AltBoolQ: its equations, its words, its builds."""
