"""Whether a sitting is paid: a decision of its own, whatever became of its labels (design, invariant 8).

`deciding` holds the verbs, `queue` which sittings there are to decide on, `lines` what is known of each, `checks` how
checks were answered, `money` amounts and rates and whether people are told of the
same amount, `given_ids` what platforms call people, `handing_over` the texts that
platforms take, `handed_in` what of them was. Imports models and
platforms.
To add a platform's reasons for a rejection: `rejections` of its module in annotation/platforms/.
"""
