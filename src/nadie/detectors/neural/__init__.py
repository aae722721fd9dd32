"""What the neural taggers share when they work: vocabulary, windows, batches, decoding, confidence. No torch here."""
