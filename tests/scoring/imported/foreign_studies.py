"""Studies of the items that other tools were given, for the files that they wrote."""

from annotation.itemfile import ItemRow

YES_NO = [
    ItemRow(name, {"passage": passage, "question": question}, reference=answer)
    for name, passage, question, answer in (
        ("boat", "The ferry leaves at noon and comes back at six.", "Does the ferry come back?", "yes"),
        ("bell", "The bell of the old school was melted in 1943.", "Does the bell still ring?", "no"),
        ("mill", "The mill grinds corn on Mondays only.", "Is corn ground at the mill?", "yes"),
    )
]
PAIRS = [
    ItemRow(name, {"options": {"good": good, "bad": bad}}, reference="good")
    for name, good, bad in (
        ("keys", "The keys near the door are heavy.", "The keys near the door is heavy."),
        ("boats", "The boats behind the island were slow.", "The boats behind the island was slow."),
        ("teacher", "The teacher of the twins sings.", "The teacher of the twins sing."),
    )
]
CHOICE = {"type": "forced_choice", "options": ["good", "bad"], "question": "Which one?"}
QUALITY = {"gold_distance": 1}
