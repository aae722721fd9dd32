"""The vault: the encrypted data for restoring the originals of anonymized texts."""
