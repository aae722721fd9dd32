"""A convolutional tagger made for speed: vectors of written forms from tables, and separable convolutions over them."""

from __future__ import annotations

from nadie.detectors.convnet.model import ConvNet, ConvNetConfig

__all__ = ["ConvNet", "ConvNetConfig"]
