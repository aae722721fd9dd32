"""One training loop for all neural systems, with checkpoints, export and records. Needs the extra `train`."""
