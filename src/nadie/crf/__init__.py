"""Linear-chain conditional random fields (Lafferty et al. 2001) in numpy: one implementation for every system.

Weights of features give emissions (T, K), one row a token and one column a tag; with the scores of the transitions,
(K, K) from row to column, they give the best path and the probabilities. Tags are numbers here, or their names.
"""
