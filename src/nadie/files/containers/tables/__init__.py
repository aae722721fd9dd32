"""Tables: CSV, JSON lines and Parquet, and the rules for what is done with each column."""

from nadie.files.container import Container


class Parquet(Container):
    """`.parquet` files. A replacement that is not of the column's type becomes null, as do lists and binary data."""

    name = "parquet"
    title = "a Parquet table"
    unit = "row"
    extra = "tables"
    opened = "nadie.files.containers.tables.parquet:ParquetTable"
