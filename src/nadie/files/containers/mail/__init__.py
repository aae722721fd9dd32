"""E-mail: messages in Internet format, and Outlook's (`msg`)."""
