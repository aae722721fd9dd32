"""Linear-chain conditional random fields (Lafferty et al. 2001) in numpy: one implementation for every system.

The summed weights of features are the emissions (T, K): one row per token and one column per tag. Together with the
transition scores (K, K), from row to column, they determine the best path and the probabilities. Tags are numbers here.
"""
