"""A small LSTM language model: how it reads, how it is trained, and the folder that holds it.

Nothing here needs Django, and only `training` and `finishing` load torch, so that
`python -m training.lstm` trains on a machine that has torch, NumPy, safetensors and this repository.
`installing`, which makes the trained model a row, is for the command and the exception to both.
To add a setting: its field in `settings`; command and `python -m` take their options from it.
"""
