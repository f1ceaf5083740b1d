"""What may be said of runs beside people."""
