"""The vault: what is needed to go back from the anonymized text, encrypted."""
