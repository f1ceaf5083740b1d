"""Telling another program that something has happened in a study: a signed message to an address that its owner names.

`declaring` makes and removes webhooks, and says which addresses this installation allows; `outbox` says what can be
told and stores it in the transaction in which it happens, and `sending`, which a worker alone imports, tells it.
Imports models and annotation.audit. To tell of something else: a line in `outbox.Event`, and `outbox.tell` where it
happens.
"""
