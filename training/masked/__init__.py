"""The embedded masked language model: a packaged encoder with a new head, adapted on text, carried as an artefact.

Free of Django, so that `python -m training.masked` trains on any machine with torch, transformers and this repository.
Reading and composing the artefact (scoring/library) needs numpy and safetensors only.
`settings` are what one run was asked for, `training` the loop, `judging` and `card` say how good it is.
To carry another model: train it, let card_masked_lm write its folder, and put that under scoring/library/embedded.
"""
