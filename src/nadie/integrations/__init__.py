"""nadie inside other people's tools: one module for each library, which is imported there and nowhere else."""
