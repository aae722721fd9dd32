"""Inference of the neural taggers, without torch: vocabulary, windows, batches, decoding, confidence."""
