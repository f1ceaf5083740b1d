"""BoolQ: naturally occurring yes/no questions (Clark et al. 2019)."""
