"""Places: streets, postcodes, towns, countries, hospitals and other institutions."""
