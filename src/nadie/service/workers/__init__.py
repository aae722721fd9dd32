"""Worker processes and the jobs they do: annotating, anonymizing, opening and rewriting uploads."""
