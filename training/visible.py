"""The trainings of a user, and the models: every query that a page makes for somebody starts here."""

from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import Reader, studies_for
from scoring.models import LanguageModel, Run
from training.models import Training


def trainings_for(user: Reader) -> QuerySet[Training]:
    """Those that the user asked for; a superuser's are all. Others tell which studies their owners have."""
    if not isinstance(user, User) or not user.is_active:
        return Training.objects.none()
    if user.is_superuser:
        return Training.objects.all()
    return Training.objects.filter(pk__in=Training.owners.through.objects.filter(user=user).values("training"))


def models_for(user: Reader) -> QuerySet[LanguageModel]:
    """Those that answered in a study that the user may see, and those that any study may be scored with.

    Not of these: what is known by somebody else's scores, and what somebody else trained here.
    """
    if isinstance(user, User) and user.is_active and user.is_superuser:
        return LanguageModel.objects.all()
    trained = Training.objects.filter(model__isnull=False)
    theirs = trained.filter(for_all=False).exclude(pk__in=trainings_for(user).values("pk"))
    answered = Run.objects.filter(study__in=studies_for(user, Right.SEE))
    at_hand = Q(is_imported=False) & ~Q(pk__in=theirs.values("model"))
    return LanguageModel.objects.filter(at_hand | Q(pk__in=answered.values("model")))
