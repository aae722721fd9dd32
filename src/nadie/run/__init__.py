"""The composition root: detectors, engine, files and records put together into a run.

Here belongs what connects the other packages: `pipeline` (a detector with all that surrounds it), `documents` (a run
over documents, in one process or several), `rewriting` (the texts of files, and their copies), `files` (a run over
files, with its journal and records), `annotation` (a run that changes nothing), `report`, `workers` and `journal`. It
may use every package but `cli`, `service` and `integrations`, which are its callers: they pass options, and show what
comes back.
"""
