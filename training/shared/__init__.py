"""What every training needs, whatever it trains: settings, schedule, checkpoint, stopping in good order.

Free of Django, so that trainings run on a machine that has this repository and torch, and no database.
Imports scoring's tensor files and corpus. To add a mechanism: only once two kinds of training need it.
"""
