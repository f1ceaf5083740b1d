"""`make run`: everything on one machine. Nothing in here is imported by a deployed installation."""
