"""Language models and baselines answer the same items as people.

`models` holds the rows, `metrics` what can be measured; `scorers` put texts to models, `baselines` need no network,
`runs` carry a model over a study, `library` knows the models at hand, `imported` takes scores from elsewhere,
`spread` passes over a corpus by workers on several machines.
Imports annotation and corpus. Nothing loads torch before a worker opens a model.
To add a metric: a line in scoring/metrics.py and its rule, with a test of that name, in docs/metrics.md.
"""
