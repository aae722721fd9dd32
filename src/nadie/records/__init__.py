"""What a run leaves besides its texts: the audit, the vault, the report, and the names of its outputs.

No record but the encrypted vault holds document text. Records know results of `nadie.anonymize` and nothing of files in
other formats or of detectors.
"""
