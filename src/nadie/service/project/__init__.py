"""A project folder: documents, states, changes and files in SQLite, without HTTP."""
