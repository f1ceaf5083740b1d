"""Telling another program that something has happened in a study: a signed message to an address that its owner names.

`events` says of what, `hosts` which addresses this installation allows, `declaring` makes and removes webhooks,
`outbox` stores what is to be told in the transaction in which it happens, and `sending`, which a worker alone imports,
tells it. Imports models and annotation.audit. To tell of something else: a line in `events.Event`, and `outbox.tell`
where it happens.
"""
