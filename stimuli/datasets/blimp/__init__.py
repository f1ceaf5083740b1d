"""BLiMP (Warstadt et al. 2020): a thousand minimal pairs for each of 67 paradigms."""
