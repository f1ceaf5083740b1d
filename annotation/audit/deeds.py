"""Every deed that is kept, in words that go on after who did it. Free of Django and of rows."""

from enum import StrEnum


class Deed(StrEnum):
    """The value is stored, and stands in files; the words are in `WORDS`."""

    MADE = "made"
    LOADED = "loaded"
    COPIED = "copied"
    TAKEN_OVER = "made from a copy"
    OPENED = "opened"
    CLOSED = "closed"
    ARCHIVED = "archived"
    RESTORED = "restored"
    DELETED = "deleted"
    TAGGED = "tagged"
    CHANGED = "setup changed"
    GOLD_TAKEN = "gold taken"
    ITEMS_ADDED = "items added"
    ITEMS_REMOVED = "items taken out"
    ITEM_CHANGED = "item changed"
    REWORDED = "item reworded"
    LOOKED_AT = "item found right"
    DECIDED = "item decided"
    LINK_ADDED = "link added"
    LINK_EXPIRED = "link expired"
    LINK_LIMITED = "link limited"
    PERSONAL_LINKS = "personal links made"
    BARRED = "ids barred"
    CLEARED = "ids cleared"
    EXCLUDED = "annotator excluded"
    REINSTATED = "annotator reinstated"
    RELEASED = "sittings released"
    SYNTHETIC_ADDED = "synthetic added"
    SYNTHETIC_REMOVED = "synthetic removed"
    RUN_STARTED = "run started"
    RUN_STOPPED = "run stopped"
    RUN_REMOVED = "run removed"
    SCORES_IMPORTED = "scores imported"
    LABELS_IMPORTED = "labels imported"
    PAYMENT_DECIDED = "payment decided"
    HANDED_OVER = "list handed over"
    NOT_HANDED_IN = "bonus marks taken back"
    IDS_FORGOTTEN = "ids forgotten"
    ERASED = "person erased"
    EXPORTED = "exported"
    ROLE_GIVEN = "role given"
    ROLE_TAKEN = "role taken"
    INVITED = "invited"
    INVITATION_WITHDRAWN = "invitation withdrawn"
    SHARED = "shared"
    SHARE_ENDED = "share ended"
    WEBHOOK_ADDED = "webhook added"
    WEBHOOK_REMOVED = "webhook removed"


WORDS: dict[Deed, str] = {
    Deed.MADE: "made the study",
    Deed.LOADED: "loaded the study's folder again",
    Deed.COPIED: "copied the study",
    Deed.TAKEN_OVER: "made it from a copy of another study",
    Deed.OPENED: "opened the study",
    Deed.CLOSED: "closed the study",
    Deed.ARCHIVED: "put the study into the archive",
    Deed.RESTORED: "took the study out of the archive",
    Deed.DELETED: "deleted the study",
    Deed.TAGGED: "changed the tags",
    Deed.CHANGED: "changed the setup",
    Deed.GOLD_TAKEN: "took gold items from a pilot",
    Deed.ITEMS_ADDED: "added items",
    Deed.ITEMS_REMOVED: "took items out",
    Deed.ITEM_CHANGED: "changed an item",
    Deed.REWORDED: "reworded an item",
    Deed.LOOKED_AT: "found an item's words right",
    Deed.DECIDED: "decided an item",
    Deed.LINK_ADDED: "added a link",
    Deed.LINK_EXPIRED: "let a link expire",
    Deed.LINK_LIMITED: "changed the limit of a link",
    Deed.PERSONAL_LINKS: "had personal links made",
    Deed.BARRED: "barred ids",
    Deed.CLEARED: "cleared the list of barred ids",
    Deed.EXCLUDED: "excluded an annotator",
    Deed.REINSTATED: "reinstated an annotator",
    Deed.RELEASED: "released sittings from their browsers",
    Deed.SYNTHETIC_ADDED: "added synthetic annotators",
    Deed.SYNTHETIC_REMOVED: "removed the synthetic annotators",
    Deed.RUN_STARTED: "started a run",
    Deed.RUN_STOPPED: "stopped a run",
    Deed.RUN_REMOVED: "removed a run",
    Deed.SCORES_IMPORTED: "imported scores",
    Deed.LABELS_IMPORTED: "imported labels",
    Deed.PAYMENT_DECIDED: "decided on payment",
    Deed.HANDED_OVER: "took a list for the platform",
    Deed.NOT_HANDED_IN: "marked bonuses as not handed in",
    Deed.IDS_FORGOTTEN: "erased platform ids",
    Deed.ERASED: "erased a person's data",
    Deed.EXPORTED: "took out a file",
    Deed.ROLE_GIVEN: "gave a role",
    Deed.ROLE_TAKEN: "took a role away",
    Deed.INVITED: "invited somebody",
    Deed.INVITATION_WITHDRAWN: "withdrew an invitation",
    Deed.SHARED: "shared the results",
    Deed.SHARE_ENDED: "ended a share",
    Deed.WEBHOOK_ADDED: "added a webhook",
    Deed.WEBHOOK_REMOVED: "removed a webhook",
}


class Via(StrEnum):
    """How somebody came to do it."""

    PAGE = "page"
    API = "api"
    COMMAND = "command"
    SHARE = "share"
    ITSELF = "itself"
