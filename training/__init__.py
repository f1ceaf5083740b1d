"""Models that are made here: classifiers, LSTM language models, and the embedded masked language model.

One folder a kind, on the mechanics of `shared`; `models` and `tasks` are the rows and the queue of classifiers.
Imports scoring, annotation and corpus; researcher and config may import it, the web process without its loops.
To add a kind: a folder with settings, a loop that goes on to the same bytes after a kill, and a card; a command in
management/commands that leaves a folder under var/models and a LanguageModel.
"""
