"""Any table of items: CSV, TSV, Excel, JSON, JSON Lines, Parquet or a saved Hugging Face dataset, with a column map."""
