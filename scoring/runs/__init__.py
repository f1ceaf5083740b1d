"""Runs: one model with one metric over one study, from what fits to the last score written.

`fitting` says what can be run, `planning` cuts it into chunks, `starting` and `queue` send them, `working` does one and
`asking` puts its questions to the model, with `memory` and `ledger`. Models, metrics, library and scorers may be
imported; nothing that loads torch, because the web process starts runs.
To add a setting that a scorer needs: `planning` writes it into the run, so that the run can be repeated.
"""
