"""Written dates: parsing, shifting, and writing in the same form."""
