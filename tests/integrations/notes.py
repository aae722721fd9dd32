"""Invented notes that the integrations are tried on."""

from __future__ import annotations

NOTE = "Paciente: Ana Pérez Soto, NHC 4471920. Remitida por la Dra. Elena Roca el 3 de mayo de 2021."
LATER = "Ana Pérez Soto acude a revisión el 10 de mayo de 2021. Tfno. 612 345 678."
OTHER = "Paciente: Luis Gómez Rey, NHC 5583001. Ingresa el 3 de mayo de 2021."
CLEAN = "Se pauta paracetamol cada ocho horas."
