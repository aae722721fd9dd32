"""Identity and tax documents of persons and companies."""
