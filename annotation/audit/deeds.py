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

    MADE = "made", "created the study"
    LOADED = "loaded", "reloaded the study’s folder"
    COPIED = "copied", "copied the study"
    TAKEN_OVER = "made from a copy", "created it from a copy of another study"
    OPENED = "opened", "opened the study"
    CLOSED = "closed", "closed the study"
    UNLOCKED = "draft again", "made the study a draft again"
    ARCHIVED = "archived", "archived the study"
    RESTORED = "restored", "unarchived the study"
    DELETED = "deleted", "deleted the study"
    TAGGED = "tagged", "changed the tags"
    PREVIEWED = "previewed", "previewed the study"
    CHANGED = "setup changed", "changed the setup"
    GOLD_TAKEN = "gold taken", "chose gold items from a pilot"
    ITEMS_ADDED = "items added", "added items"
    ITEMS_REMOVED = "items taken out", "removed items"
    ITEM_CHANGED = "item changed", "changed an item"
    ANSWER_SET = "correct answer set", "set one correct answer for all items"
    REWORDED = "item reworded", "reworded an item"
    LOOKED_AT = "item found right", "approved an item’s wording"
    DECIDED = "item decided", "adjudicated an item"
    LINK_ADDED = "link added", "added a link"
    LINK_EXPIRED = "link expired", "expired a link"
    LINK_LIMITED = "link limited", "changed the limit of a link"
    PERSONAL_LINKS = "personal links made", "created personal links"
    BARRED = "ids barred", "added IDs to the block list"
    CLEARED = "ids cleared", "cleared the block list"
    EXCLUDED = "annotator excluded", "excluded an annotator"
    REINSTATED = "annotator reinstated", "reinstated an annotator"
    RELEASED = "sittings released", "allowed another browser"
    SYNTHETIC_ADDED = "synthetic added", "added synthetic annotators"
    SYNTHETIC_REMOVED = "synthetic removed", "removed the synthetic annotators"
    RUN_STARTED = "run started", "started a run"
    RUN_STOPPED = "run stopped", "stopped a run"
    RUN_REMOVED = "run removed", "removed a run"
    RUN_NAMED = "run named", "renamed a run"
    SCORES_IMPORTED = "scores imported", "imported scores"
    LABELS_IMPORTED = "labels imported", "imported labels"
    PAYMENT_DECIDED = "payment decided", "decided on payment"
    HANDED_OVER = "list handed over", "downloaded a list for the platform"
    NOT_HANDED_IN = "bonus marks taken back", "marked bonuses as not sent"
    IDS_FORGOTTEN = "ids forgotten", "erased platform IDs"
    ERASED = "person erased", "erased a person's data"
    EXPORTED = "exported", "downloaded a file"
    ROLE_GIVEN = "role given", "gave a role"
    ROLE_TAKEN = "role taken", "removed a role"
    INVITED = "invited", "invited someone"
    INVITATION_WITHDRAWN = "invitation withdrawn", "withdrew an invitation"
    SHARED = "shared", "shared results"
    SHARE_ENDED = "share ended", "ended a shared link"
    WEBHOOK_ADDED = "webhook added", "added a webhook"
    WEBHOOK_REMOVED = "webhook removed", "removed a webhook"


class Via(StrEnum):
    """How somebody came to do it."""

    PAGE = "page"
    API = "api"
    COMMAND = "command"
    SHARE = "share"
    ITSELF = "itself"
