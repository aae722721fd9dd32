"""One loop for every neural system, and what surrounds it. Needs the extra `train`."""
