"""Settings of a masked language model that do not fit."""

import pytest

from training.masked.settings import Settings


def test_settings_that_do_not_fit_are_all_named():
    with pytest.raises(
        ValueError, match=r"train must be one of body, all, not head\. .*rows must be a whole number from 16, not 8\."
    ):
        Settings(train="head", rows=8)
