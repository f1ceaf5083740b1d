"""May a model take an annotator's place? The alternative annotator test.

`nearness` compares label by label, `replacing` is the test. May import resampling.
To add a scoring function: in `nearness`; what the page says of it, in comparison/figures/models/alternative.py.
"""
