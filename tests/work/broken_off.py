"""What the database ends, and what it refuses, as a worker's thread meets it.

Run by test_place.py: `python -m tests.work.broken_off`, in the database that DATABASE_URL names. Prints as JSON which
of them are told as broken off.
"""

import json


def main() -> None:
    import django

    django.setup()
    from django.db import Error, connection, transaction

    from work.watching.health import breaks_off

    ended = "SELECT pg_terminate_backend(pg_backend_pid())"
    told = {}
    for name, sql in {
        "ended": ended,
        "ended in a transaction": ended,
        "too slow": "SET statement_timeout = 50; SELECT pg_sleep(9)",
        "refused": "SELECT 1 / 0",
    }.items():
        try:
            if "transaction" in name:
                with transaction.atomic(), transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(sql)
            else:
                with connection.cursor() as cursor:
                    cursor.execute(sql)
        except Error as error:
            told[name] = breaks_off(error)
        connection.close()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
