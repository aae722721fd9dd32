"""Tables: CSV, JSON lines and Parquet, and the rules for what is done with each column."""
