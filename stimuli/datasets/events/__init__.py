"""Event pairs: sentences about plausible, unlikely and impossible events (Kauf, Ivanova et al. 2023)."""
