"""The pieces of `make run` that touch files, ports and sockets."""

import os
import socket
import stat
from pathlib import Path

import pytest

from config.broker import LONGEST, broker_socket
from config.local.__main__ import chosen_port, fresh_logs, locked, stored_secret
from config.local.supervisor import Failed
from config.local.valkey import answers, make_private


def test_a_secret_is_made_once_and_for_its_owner_only(tmp_path):
    file = tmp_path / "secret_key"
    first = stored_secret(file, length=50)
    assert len(first) >= 50
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stored_secret(file, length=50) == first


def test_two_installations_have_different_secrets(tmp_path):
    assert stored_secret(tmp_path / "one", length=50) != stored_secret(tmp_path / "other", length=50)


def test_the_socket_lies_in_var_where_it_fits(tmp_path):
    assert broker_socket(Path("/srv/my parallax/var")) == Path("/srv/my parallax/var/valkey.sock")


@pytest.mark.parametrize("var", ["/srv/" + "deep/" * 30 + "var", "/srv/a#b/var", "/srv/é" + "é" * 50 + "/var"])
def test_a_socket_that_would_not_fit_has_a_short_stable_place_of_its_own(var):
    found = broker_socket(Path(var))
    assert len(os.fsencode(found)) <= LONGEST
    assert found == broker_socket(Path(var))
    assert found != broker_socket(Path(var + "2"))
    assert not set("#?%") & set(str(found))


def test_a_private_folder_is_closed_to_others(tmp_path):
    make_private(tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_a_folder_that_others_can_enter_is_refused(tmp_path):
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "open").chmod(0o755)
    with pytest.raises(Failed, match="closed to others"):
        make_private(tmp_path / "open")


def test_a_link_in_place_of_the_private_folder_is_refused(tmp_path):
    make_private(tmp_path / "theirs")
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    with pytest.raises(Failed):
        make_private(tmp_path / "link")


def test_nobody_answers_where_there_is_no_server(tmp_path):
    assert not answers(tmp_path / "valkey.sock")


@pytest.mark.parametrize("port", ["http", "0", "65536", "-1", "８０００"])
def test_a_port_that_is_none_is_named(monkeypatch, port):
    monkeypatch.setenv("PORT", port)
    with pytest.raises(Failed, match="PORT must be a number"):
        chosen_port()


def test_a_port_in_use_is_said_in_one_line(monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setenv("PORT", str(taken.getsockname()[1]))
        with pytest.raises(Failed, match=r"cannot be used .* make run PORT=") as refused:
            chosen_port()
    assert "\n" not in str(refused.value)


def test_one_installation_runs_once(tmp_path):
    with locked(tmp_path), pytest.raises(Failed, match="already running"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_the_logs_of_the_run_before_are_put_aside(tmp_path):
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "web.log").write_text("before")
    logs = fresh_logs(tmp_path)
    assert not (logs / "web.log").exists()
    assert (logs / "web.log.1").read_text() == "before"
