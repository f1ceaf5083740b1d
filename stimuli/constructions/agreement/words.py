"""The generator's words: common ones, so that most models know them whole. Any noun goes with any verb of its list,
and no noun for people says whether a man or a woman is meant, so that every reflexive fits.
"""

from stimuli.constructions.agreement.grammar import BE, Word, noun, verb

PEOPLE = tuple(
    noun(*word.split("/"))
    for word in (
        "artist", "author", "baker", "captain", "child/children", "cook", "dancer", "doctor", "driver", "farmer",
        "friend", "guard", "guest", "hunter", "judge", "lawyer", "leader", "manager", "neighbor", "nurse",
        "painter", "player", "sailor", "scientist", "singer", "student", "teacher", "tourist", "visitor", "worker",
    )
)  # fmt: skip
# What people make and give: heads of prepositional phrases and of object relative clauses.
THINGS = tuple(
    noun(*word.split("/"))
    for word in (
        "book",
        "letter",
        "message",
        "note",
        "picture",
        "poem",
        "report",
        "song",
        "speech/speeches",
        "story/stories",
    )
)

# A verb, which agrees, and what follows it.
Predicate = tuple[Word, str]
PEOPLE_DO: tuple[Predicate, ...] = (
    (verb("laugh"), ""), (verb("smile"), ""), (verb("sleep"), ""), (verb("sing"), ""), (verb("wait"), ""),
    (verb("work"), ""), (verb("swim"), ""), (verb("walk"), ""), (BE, " happy"), (BE, " tired"), (BE, " young"),
    (BE, " quiet"), (BE, " late"), (BE, " strong"),
)  # fmt: skip
THINGS_DO: tuple[Predicate, ...] = (
    (BE, " long"), (BE, " short"), (BE, " new"), (BE, " good"), (BE, " strange"), (BE, " famous"),
    (verb("look"), " old"), (verb("seem"), " nice"), (verb("appear"), " simple"),
)  # fmt: skip
# Between people, in the present; and what one does to somebody or to oneself, in the past.
SEE = tuple(verb(word) for word in ("admire", "help", "know", "like", "love", "respect", "trust", "visit"))
TO_THINGS = tuple(verb(word) for word in ("like", "love", "want", "need", "enjoy"))
MET = ("met", "knew", "saw", "liked", "thanked", "called")
DID_TO_SELF = ("hurt", "blamed", "praised", "defended", "introduced", "watched")
SAID = ("said", "thought", "claimed", "knew", "believed")
NEAR = ("near", "behind", "beside", "opposite", "with")
OF = ("from", "for", "by")

# himself or herself against themselves: half of the sets of words each.
PRONOUNS = (Word("himself", "themselves"), Word("herself", "themselves"))
# What may follow `ever`.
EVER = ("laughed", "smiled", "slept here", "worked here", "been happy", "been late", "been famous", "lied", "won")
