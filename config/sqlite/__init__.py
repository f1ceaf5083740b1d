"""Django's SQLite, with a queue for those who begin to write. `base` is the engine that config/settings.py names.

Imports Django and nothing of ours. What else SQLite should do otherwise is one more method of its DatabaseWrapper.
"""
