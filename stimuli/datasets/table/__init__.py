"""Any table of items: CSV, TSV, JSON lines, Parquet or a saved Hugging Face dataset, with a column map."""
