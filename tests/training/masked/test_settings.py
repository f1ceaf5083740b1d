"""Settings of a masked language model that do not fit."""

import pytest

from training.masked.settings import Settings


def test_settings_that_do_not_fit_are_all_named():
    with pytest.raises(
        ValueError, match=r"train: 'head' is not one of body, all\. .*rows: '8' is not a whole number from 16\."
    ):
        Settings(train="head", rows=8)
