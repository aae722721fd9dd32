"""Written dates and how they are parsed: text → the day, month, year, season or feast that it names."""
