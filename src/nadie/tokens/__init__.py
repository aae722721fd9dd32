"""Text as tokens: the normalised view with its way back, tokenizer, sentences, tags, passages, part-of-speech tagger.

Offsets are code points of the original text. It knows the Spanish of `nadie.spanish` and no label semantics.
"""
