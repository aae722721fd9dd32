"""What the neural taggers share when they work: vocabulary, windows, batches, Viterbi, confidence. No torch here."""
