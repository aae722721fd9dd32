"""DICOM files, by the standard's confidentiality profile."""
