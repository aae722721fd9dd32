"""The model folders that ship with nadie, and `lexicon`, the word lists that several of them were trained with.

The lists are frozen: another list would be another feature. What is known of the language beyond them is in
`nadie/spanish/data`, one table each.
"""
