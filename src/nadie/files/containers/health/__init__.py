"""Health records: FHIR, HL7 v2 and CDA."""
