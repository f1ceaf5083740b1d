"""The models at hand: what is packaged, composed, counted, or a researcher's own, and the row of each.

`packaged`, `wheel`, `conversion`, `composed`, `artefact`, `pickled` and `hub` bring files; `installation` and
`registering` write rows; `location` says where a row's source lies. Nothing imports torch before it opens a model.
To add a packaged model: an entry in `packaged.PACKAGED`, with the sha256 of its wheel.
"""
