"""The 24 intensifiers in their three classes (Lorge and Pierrehumbert, the list of the first study)."""

CLASSES = {
    "temporal": ("never", "sometimes", "already", "often", "generally", "usually", "frequently", "always"),
    "epistemic": ("maybe", "perhaps", "possibly", "probably", "actually", "really", "certainly", "definitely"),
    "neutral": ("hardly", "slightly", "basically", "quite", "pretty", "very", "seriously", "completely"),
}
CLASS_OF = {adverb: name for name, adverbs in CLASSES.items() for adverb in adverbs}
ADVERBS = tuple(CLASS_OF)
NEGATION = "not"
