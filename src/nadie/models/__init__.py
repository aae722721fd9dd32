"""The model folders that ship with nadie."""
