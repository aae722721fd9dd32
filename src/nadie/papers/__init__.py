"""The five published systems of the MEDDOCAN task (IberLEF 2019) that nadie began with, one folder each.

- `recrf`: Hassan et al., "ReCRF: Spanish Medical Document Anonymization using Automatically-crafted Rules and CRF"
- `bilstm_crf`: Suárez-Paniagua, "VSP at MEDDOCAN 2019: De-Identification of Medical Documents in Spanish with Recurrent
  Neural Networks"
- `tccnn`: Porta-Zamorano, "Spanish Medical Document Anonymization with Three-channel Convolutional Neural Networks"
- `exhaustive`: Sohrab et al., "A Generic Neural Exhaustive Approach for Entity Recognition and Sensitive Span
  Detection"
- `e2ej`: Jabreel et al., "E2EJ: Anonymization of Spanish Medical Records using End-to-End Joint Neural Networks"

Each folder names its paper in full, its deviations and its commands, and has the paper's own configuration in
`paper.toml`: `nadie train SYSTEM --preset paper` trains it. docs/en/understand/papers.md shows the papers' tables
beside ours, and where each section and equation is. The systems share `neural` and `training`, and
import neither each other nor `nadie.detectors`.
"""
