"""Every deed that is kept, in words that go on after who did it. Free of Django and of rows."""

from enum import StrEnum


class Worded(StrEnum):
    """Values that are stored or sent, each beside its words for readers."""

    words: str

    def __new__(cls, value: str, words: str = "") -> "Worded":
        # Without words it is called to find a member by its value, and never to make one: a test sees to that.
        made = str.__new__(cls, value)
        made._value_, made.words = value, words
        return made


class Deed(Worded):
    """The value is stored, and stands in files."""

    MADE = "made", "made the study"
    LOADED = "loaded", "loaded the study's folder again"
    COPIED = "copied", "copied the study"
    TAKEN_OVER = "made from a copy", "made it from a copy of another study"
    OPENED = "opened", "opened the study"
    CLOSED = "closed", "closed the study"
    ARCHIVED = "archived", "put the study into the archive"
    RESTORED = "restored", "took the study out of the archive"
    DELETED = "deleted", "deleted the study"
    TAGGED = "tagged", "changed the tags"
    CHANGED = "setup changed", "changed the setup"
    GOLD_TAKEN = "gold taken", "took gold items from a pilot"
    ITEMS_ADDED = "items added", "added items"
    ITEMS_REMOVED = "items taken out", "took items out"
    ITEM_CHANGED = "item changed", "changed an item"
    REWORDED = "item reworded", "reworded an item"
    LOOKED_AT = "item found right", "found an item's words right"
    DECIDED = "item decided", "decided an item"
    LINK_ADDED = "link added", "added a link"
    LINK_EXPIRED = "link expired", "let a link expire"
    LINK_LIMITED = "link limited", "changed the limit of a link"
    PERSONAL_LINKS = "personal links made", "had personal links made"
    BARRED = "ids barred", "barred ids"
    CLEARED = "ids cleared", "cleared the list of barred ids"
    EXCLUDED = "annotator excluded", "excluded an annotator"
    REINSTATED = "annotator reinstated", "reinstated an annotator"
    RELEASED = "sittings released", "released sittings from their browsers"
    SYNTHETIC_ADDED = "synthetic added", "added synthetic annotators"
    SYNTHETIC_REMOVED = "synthetic removed", "removed the synthetic annotators"
    RUN_STARTED = "run started", "started a run"
    RUN_STOPPED = "run stopped", "stopped a run"
    RUN_REMOVED = "run removed", "removed a run"
    SCORES_IMPORTED = "scores imported", "imported scores"
    LABELS_IMPORTED = "labels imported", "imported labels"
    PAYMENT_DECIDED = "payment decided", "decided on payment"
    HANDED_OVER = "list handed over", "took a list for the platform"
    NOT_HANDED_IN = "bonus marks taken back", "marked bonuses as not handed in"
    IDS_FORGOTTEN = "ids forgotten", "erased platform ids"
    ERASED = "person erased", "erased a person's data"
    EXPORTED = "exported", "took out a file"
    ROLE_GIVEN = "role given", "gave a role"
    ROLE_TAKEN = "role taken", "took a role away"
    INVITED = "invited", "invited somebody"
    INVITATION_WITHDRAWN = "invitation withdrawn", "withdrew an invitation"
    SHARED = "shared", "shared the results"
    SHARE_ENDED = "share ended", "ended a share"
    WEBHOOK_ADDED = "webhook added", "added a webhook"
    WEBHOOK_REMOVED = "webhook removed", "removed a webhook"


class Via(StrEnum):
    """How somebody came to do it."""

    PAGE = "page"
    API = "api"
    COMMAND = "command"
    SHARE = "share"
    ITSELF = "itself"
