"""Whether a sitting is paid: a decision of its own, whatever became of its labels (design, invariant 8).

`deciding` holds the verbs, `queue` which sittings there are to decide on and how their checks were answered, `lines`
what is known of each, `money` amounts and rates and whether people are told of the same amount, `handing_over` what
platforms call people, the texts that they take, and what of these was handed in. Imports models and platforms. To add a
platform's reasons for a rejection: its `rejections` in annotation/platforms.py.
"""
