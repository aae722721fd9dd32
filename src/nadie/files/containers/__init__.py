"""Files that hold texts among other things, by family: tables, office, mail, markup, pdf, health, dicom, archives.

A container says where its texts are, and writes a copy with edits in them and every other byte unchanged. It is
registered by an entry point of `nadie.containers`; families share the modules here and nothing else of each other.
"""
