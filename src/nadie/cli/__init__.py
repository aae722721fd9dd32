"""The commands of `nadie`, one module each: options in, a run, a summary out. No logic of its own belongs here."""
