"""Outlook messages: compound files with properties."""
