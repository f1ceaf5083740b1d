"""`{% study_rail as rail %}`: the rail of the study that a page is of."""

from django import template
from django.template import Context

from researcher.rail import Rail, rail, shared_rail
from researcher.studies.waiting import Waiting

register = template.Library()


@register.simple_tag(takes_context=True)
def study_rail(context: Context) -> Rail:
    if context.get("shared"):
        return shared_rail(context["parts"], context["part"], checks=context["checks_in_rail"])
    request, study = context["request"], context["study"]
    # A page that shows what waits has begun to count it.
    waiting = context.get("what_waits") or Waiting(study, request.rights, context.get("gathered"))
    checks, part = context.get("checks_in_rail") or (), context.get("part") or ""
    return rail(study, request.resolver_match, request.rights, waiting, checks=checks, part=part)
