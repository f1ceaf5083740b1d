"""The verbs of the pages as JSON, for programs; it has no rule of its own and does not know `researcher`.

Lives here: tokens and what they may do (`models`, `tokens`, `scopes`, `caller`); what is sent again (`once`);
`answering` (one shape of faults, cursors, ETags, bounds); `routes` (the addresses, one module for each kind of row);
and `views`, the pages on which tokens are made and the addresses are described. May import comparison, training,
scoring and what is below them.
To add an address: a function in `routes` that finds its study by `caller.found`, calls a verb of the room that owns the
rows, and answers by `answering`; beside it the right that it asks for (`needs`); a line in docs/api.md. The walk and
Schemathesis (tests/api) take it up by themselves.
"""
