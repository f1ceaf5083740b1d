"""Work that no page waits for: rows that a worker claims under a lease, and the messages that say that they wait.

`leases` is what such a row has, `queues` says where its messages go, `queue` sends them; `kinds` is a worker's loop:
claim, renew, do, write down what kept it from its end. `place` is where a process works, `workers` who answers, `tasks`
what Celery calls; `errands` are for what has no row of its own, `progress` says how fast it goes. It knows no room. To
add a kind: docs/design.md, *To add one more*.
"""
