"""DICOM files, by the standard's confidentiality profile."""

from nadie.files.container import Container


class Dicom(Container):
    """`.dcm`: images, reports and encapsulated documents."""

    name = "dicom"
    title = "a DICOM file"
    extra = "health"
    opened = "nadie.files.containers.dicom.container:OpenedDicom"
