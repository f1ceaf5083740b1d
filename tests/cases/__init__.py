"""The failing inputs of `shared/cases`, each with what is right for it; skipped where that folder is absent.

Each room has tests of the kinds of fault behind them; here a user runs the very files.
"""
