"""What annotators of the masked and the exchanged variant read first, in our own words."""

MASKED = (
    "You will read a short passage and a question about it. Answer with Yes or No.\n\n"
    'In both, the word "redacted" stands where another word was taken out. Go by what is left of the passage. '
    "If it does not settle the answer, choose the one that seems more likely to you.\n\n"
    "The questions were typed into a search engine, so many are in lower case and some are clumsy. "
    "Answer what is meant.\n"
)

EXCHANGED = (
    "You will read a short passage and a question about it. Answer with Yes or No.\n\n"
    "A program has exchanged words in both, so the passage may say strange things. A word was exchanged in the same "
    "way everywhere. Take the passage as true and go by what it says, not by what you know.\n\n"
    "Please read closely: two words that meant the same may no longer do so. If the passage does not settle the "
    "answer, choose the one that seems more likely to you.\n"
)
