"""The LSTM language model as it answers: its words and vocabulary, its network in its folder, and the scorer over them.

How it is trained is in training/lstm, which writes such folders by `folder.write_model`. `folder` and `scorer` import
torch; `words` and `vocabulary` the standard library only, so that text is prepared without it.
To read words in another way: change `words` and its VERSION; models of the older one are refused, and never misread.
"""
