"""Two requests with one Idempotency-Key at the same moment, and what they are answered.

Run by test_once.py: `python -m tests.api.two_posts`, in the database that DATABASE_URL names.
"""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.api.asking import Api

TIMES = 8


def main() -> None:
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment

    from accounts.models import User
    from annotation.models import Act, Study
    from tests.api.asking import Api

    setup_test_environment()
    one = Api(User.objects.create_user("ada"))
    other = Api(User.objects.get())
    other.made = one.made
    found = [both(one, other, number) for number in range(TIMES)]
    made = {"studies": Study.objects.count(), "acts": Act.objects.filter(deed="made").count()}
    print(json.dumps({"vendor": connection.vendor, "found": found, **made}))


def both(one: "Api", other: "Api", number: int) -> dict[str, Any]:
    """Both post the same with the same key."""
    from django.db import connection

    from tests.api.made import KEY, body

    def post(api: "Api") -> Any:
        try:
            return api.post("studies", body(f"made-{number}"), **{"idempotency-key": f"{KEY}-{number}"})
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(post, [one, other]))
    return {
        "statuses": [answer.status_code for answer in answers],
        "alike": answers[0].content == answers[1].content,
        "replayed": sum("Idempotency-Replayed" in answer.headers for answer in answers),
    }


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    main()
