"""A small LSTM language model: how it reads, how it is trained, and the folder that holds it.

Nothing here needs Django, and only `training` and `finishing` load torch, so that
`python -m training.lstm` trains on a machine that has torch, NumPy, safetensors and this repository.
"""
