"""Worker processes and the jobs they do: annotating, anonymizing, reading and rewriting uploads."""
