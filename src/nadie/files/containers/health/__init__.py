"""Health records: FHIR, HL7 v2 and CDA."""

from nadie.files.container import Container


class Cda(Container):
    """`.xml` whose root is a `ClinicalDocument`."""

    name = "cda"
    title = "a CDA document"
    extra = "health"
    opened = "nadie.files.containers.health.cda:open_cda"
