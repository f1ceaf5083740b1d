"""Sentences with their trees, in CoNLL-U, with what that format allows: ranges, empty nodes, no spaces."""

TREES = """\
# newdoc id = a
# sent_id = 1
# text = They don't know.
1\tThey\tthey\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tknow\tknow\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# sent_id = 2
1\tReally\treally\tADV\tRB\t_\t0\troot\t_\tSpaceAfter=No
1.1\tgone\tgo\tVERB\tVBN\t_\t_\t_\t_\t_
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_

# newpar
# sent_id = 3
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_
"""
