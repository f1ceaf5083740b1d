"""What was decided on a sitting's payment: by whom, when, what the annotator is told; what of a bonus was handed in."""

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.constraints import one_of
from annotation.models.sitting import SittingPayment


class PaymentDecision(models.Model):
    """The whole of what holds from then on; the latest one counts, and Sitting.payment says the same."""

    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, related_name="decisions")
    payment = models.CharField(max_length=10, choices=SittingPayment)
    reason = models.CharField(max_length=40, blank=True, help_text="Of a rejection, as the platform calls it.")
    message = models.TextField(blank=True, help_text="Of a rejection: what the annotator is told.")
    bonus = models.DecimalField(max_digits=8, decimal_places=2, default=Decimal(0))
    bonus_reason = models.CharField(max_length=300, blank=True)
    # None: by command.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            one_of("payment", SittingPayment, name="payment_decision_payment"),
            models.CheckConstraint(condition=Q(bonus__gte=0), name="payment_decision_bonus"),
            models.CheckConstraint(condition=~Q(payment="rejected") | Q(bonus=0), name="payment_decision_no_bonus"),
            models.CheckConstraint(
                condition=Q(payment="rejected") | Q(reason="", message=""), name="payment_decision_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.get_payment_display()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only ever a new row."""
        if not self._state.adding:
            raise TypeError("A decision on payment is never changed; make another.")
        super().save(*args, **kwargs)


class BonusHandedIn(models.Model):
    """What of a bonus one list for the platform had; it pays a line as often as it is handed in.

    Below zero: what was listed was not handed in after all.
    """

    sitting = models.ForeignKey("annotation.Sitting", models.CASCADE, related_name="bonuses_handed_in")
    amount = models.DecimalField(max_digits=8, decimal_places=2)
    # None: by command.
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "bonuses handed in"

    def __str__(self) -> str:
        return f"{self.amount}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only ever a new row."""
        if not self._state.adding:
            raise TypeError("What was handed in is never changed.")
        super().save(*args, **kwargs)
