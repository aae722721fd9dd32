"""Images of pages: scans and photos as PNG, JPEG or TIFF, and the pages of PDF files that are images."""

from __future__ import annotations

from nadie.files.container import Container


class Image(Container):
    name = "image"
    title = "an image"
    extra = "scan"
    opened = "nadie.files.containers.image.container:OpenedImage"
