"""Office documents: Word, Excel, OpenDocument and RTF."""
