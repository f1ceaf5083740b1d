"""Studies, items, people, labels. One file a concern; import from here.

What concerns one row is a method of it, what concerns a set of rows a method of its QuerySet; a flow over several
models is a module of annotation. Invariants that must hold under concurrency are database constraints.
To add a model: a file here, a line below, and the app's migration.
"""

from annotation.models.adjudication import Adjudication
from annotation.models.assignment import Assignment
from annotation.models.barred import BarredId
from annotation.models.exclusion import Exclusion, Repeater
from annotation.models.item import Item
from annotation.models.item_revision import ItemRevision
from annotation.models.judgment import CANNOT_JUDGE, Judgment, RepeatedLabel, Revision
from annotation.models.label_source import LabelSource
from annotation.models.link import StudyLink
from annotation.models.payment_decision import BonusHandedIn, PaymentDecision
from annotation.models.people import Annotator, PlatformId
from annotation.models.report import ItemReport
from annotation.models.researchers.act import Act
from annotation.models.researchers.invitation import Invitation
from annotation.models.researchers.membership import Membership
from annotation.models.researchers.share import Share
from annotation.models.researchers.webhook import Delivery, Webhook
from annotation.models.sitting import Sitting
from annotation.models.stage_answers import ComprehensionTry, Consent, ConsentVersion, QuestionnaireAnswers
from annotation.models.study import Study

__all__ = [
    "CANNOT_JUDGE",
    "Act",
    "Adjudication",
    "Annotator",
    "Assignment",
    "BarredId",
    "BonusHandedIn",
    "ComprehensionTry",
    "Consent",
    "ConsentVersion",
    "Delivery",
    "Exclusion",
    "Invitation",
    "Item",
    "ItemReport",
    "ItemRevision",
    "Judgment",
    "LabelSource",
    "Membership",
    "PaymentDecision",
    "PlatformId",
    "QuestionnaireAnswers",
    "RepeatedLabel",
    "Repeater",
    "Revision",
    "Share",
    "Sitting",
    "Study",
    "StudyLink",
    "Webhook",
]
