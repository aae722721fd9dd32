"""Numbers that health care gives to patients, contacts, insured persons and staff."""
