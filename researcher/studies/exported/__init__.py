"""What leaves a study as a file that a worker makes: downloads, the data set, the report."""
