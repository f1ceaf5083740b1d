"""What all importers and builders share: what they must offer, and how a made study becomes a folder.

contract.py says what they are and give, registry.py lists them, settings.py and manifest.py say what every study says,
study_folder.py checks a study and writes it whole or not at all. May import corpus and annotation's files, and no data
set or construction: those are named in the registry alone.
"""
