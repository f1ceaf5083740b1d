"""The embedded masked language model: a packaged encoder with a new head, adapted on text, carried as an artefact.

Free of Django, so that `python -m training.masked` trains on any machine with torch, transformers and this repository.
Reading and composing the artefact needs numpy and safetensors only.
"""
