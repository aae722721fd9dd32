"""A convolutional tagger designed for speed: separable convolutions over vectors of written forms from tables."""

from __future__ import annotations

from nadie.detectors.convnet.model import ConvNet, ConvNetConfig

__all__ = ["ConvNet", "ConvNetConfig"]
