"""Colorless green sentences (Gulordava et al. 2018): agreement in sentences that make no sense."""
