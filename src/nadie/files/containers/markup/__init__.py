"""HTML, and the readers of XML and JSON that other containers use."""
