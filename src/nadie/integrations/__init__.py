"""Integrations with other libraries: one module per library, which is imported only there."""
