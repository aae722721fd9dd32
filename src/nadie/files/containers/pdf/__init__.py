"""PDF: text is removed from pages, forms, annotations and metadata, not covered."""
