# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How kolla-ansible is called and watched, with a program in its place that does what a test needs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.child import LogUnwritable, Surroundings, run
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.command import Call, Outcome, environment, explain
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.package import Package
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.secrets import Redactor

SECRET = "s3cr3t" * 6


def call(tmp_path, **narrowed):
    config = tmp_path / "config"
    config.mkdir(exist_ok=True)
    return Call("prechecks", config, **narrowed)


def package(tmp_path, script):
    program = tmp_path / "venv/bin/kolla-ansible"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{sys.executable}\nimport json, os, sys, time\nevents = open(os.environ['VITRO_KOLLA_EVENTS'], 'a')\n{script}")
    program.chmod(0o755)
    return Package(tmp_path / "venv", "22.2.0")


def play(tmp_path, script, *, vault=(), log="log"):
    shown: list[str] = []
    around = Surroundings(tmp_path, 5, vault)
    status, outcome = run(call(tmp_path), package(tmp_path, script), around, Redactor([SECRET]), tmp_path / log, shown.append)
    return status, outcome, shown


def test_the_command_line(tmp_path):
    made = call(tmp_path, limit=("a", "b"), tags=("nova",), variables={"x": True, "y": "--z"}, arguments=("--yes",))
    line = made.arguments_for(Package(Path("/v"), "1"), [("default", Path("/m/vault-0"))])
    config = str(tmp_path / "config")
    assert line[:6] == ["/v/bin/kolla-ansible", "prechecks", "--configdir", config, "-i", f"{config}/inventory"]
    assert line[6:] == [
        *("--vault-id", "default@/m/vault-0", "--limit", "a,b", "--tags", "nova"),
        *("--extra-vars", '{"x": true, "y": "--z"}', "--yes"),
    ]


def test_the_child_has_nothing_of_the_ansible_that_calls_it(tmp_path):
    inherited = {"PATH": "/bin", "HOME": "/h", "ANSIBLE_CONFIG": "/c", "PYTHONPATH": "/p", "SSH_AUTH_SOCK": "/s"}
    seen = environment(Package(Path("/v"), "1"), tmp_path, tmp_path / "events", inherited)
    assert seen["PATH"] == "/v/bin:/bin"
    assert seen["SSH_AUTH_SOCK"] == "/s"
    assert "ANSIBLE_CONFIG" not in seen
    assert "PYTHONPATH" not in seen


def test_secrets_are_in_no_log_result_or_line(tmp_path):
    script = f"""
print("item={SECRET}")
events.write(json.dumps({{"event": "failed", "host": "a", "task": "t", "message": "{SECRET} refused"}}) + "\\n"); events.flush()
sys.exit(2)"""
    status, outcome, shown = play(tmp_path, script)
    assert status == 2
    told = explain(call(tmp_path), outcome, status, tmp_path / "log")
    assert "(secret) refused" in told
    assert SECRET not in (tmp_path / "log").read_text() + told + "".join(shown) + repr(outcome.failures)
    assert (tmp_path / "log").stat().st_mode & 0o077 == 0


def test_vault_passwords_reach_the_child_and_leave_no_trace(tmp_path):
    script = """
path = sys.argv[sys.argv.index("--vault-id") + 1].partition("@")[2]
print(path, oct(os.stat(path).st_mode & 0o777), open(path).read() == "word")"""
    status, _, _ = play(tmp_path, script, vault=[("default", b"word")])
    path, mode, right = (tmp_path / "log").read_text().split()
    assert (status, mode, right) == (0, "0o600", "True")
    assert not Path(path).exists()
    assert not Path(path).parent.exists()


def test_a_lost_host_is_an_error_though_kolla_ended_well(tmp_path):
    events = [
        {"event": "play", "name": "Apply role nova"},
        {"event": "task", "name": "one"},
        {"event": "unreachable", "host": "b", "task": "one", "message": "no route"},
        {"event": "recap", "host": "a", "ok": 3, "changed": 1, "failures": 0, "unreachable": 0},
        {"event": "recap", "host": "b", "ok": 0, "changed": 0, "failures": 0, "unreachable": 1},
    ]
    status, outcome, shown = play(tmp_path, f"for one in {events!r}:\n    events.write(json.dumps(one) + '\\n')\nevents.flush()")
    assert (status, outcome.lost, outcome.tasks, outcome.changed) == (0, ["b"], 1, 1)
    assert shown == ["Apply role nova", "b: one: no route"]
    assert explain(call(tmp_path), outcome, 0, None) == ("kolla-ansible prechecks failed on b (status 0): (1) b: task `one`: no route")


def test_all_went_well(tmp_path):
    outcome = Outcome(Redactor([]))
    outcome.add(json.dumps({"event": "recap", "host": "a", "ok": 1, "failures": 0, "unreachable": 0}))
    assert explain(call(tmp_path), outcome, 0, None) is None


def test_failures_are_counted_where_there_are_many(tmp_path):
    outcome = Outcome(Redactor([]))
    for number in range(25):
        outcome.add(json.dumps({"event": "failed", "host": f"h{number}", "task": "t", "message": f"m{number}"}))
    assert "and 5 more" in explain(call(tmp_path), outcome, 2, None)


def test_one_reason_on_many_hosts_is_told_once(tmp_path):
    outcome = Outcome(Redactor([]))
    for host in ("a", "b", "c"):
        outcome.add(json.dumps({"event": "failed", "host": host, "task": "t", "message": "no clock."}))
    assert explain(call(tmp_path), outcome, 2, None) == "kolla-ansible prechecks failed (status 2): (1) a, b, c: task `t`: no clock"


def test_it_ended_before_any_host(tmp_path):
    status, outcome, _ = play(tmp_path, "print('bad arguments'); sys.exit(1)")
    assert "ended before it reached a host" in explain(call(tmp_path), outcome, status, tmp_path / "log")


def test_a_log_that_cannot_be_written_starts_nothing(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LogUnwritable):
        play(tmp_path, f"open({str(tmp_path / 'started')!r}, 'w')", log="file/log")
    assert not (tmp_path / "started").exists()


def test_the_child_does_not_outlive_a_caller_that_is_ended(tmp_path):
    """Ansible ends its workers by SIGTERM; the child gets it too, and no vault password stays behind."""
    made = package(tmp_path, "print(os.getpid(), sys.argv[sys.argv.index('--vault-id') + 1].partition('@')[2], flush=True)\ntime.sleep(60)")
    caller = f"""
import signal, sys
from pathlib import Path
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.child import Surroundings, run
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.command import Call
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.package import Package
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.secrets import Redactor
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
here = Path({str(tmp_path)!r})
around = Surroundings(here, 5, [("default", b"word")])
run(Call("deploy", here), Package(Path({str(made.venv)!r}), "1"), around, Redactor([]), here / "log", print)
"""
    process = subprocess.Popen([sys.executable, "-c", caller], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    log = tmp_path / "log"
    until = time.monotonic() + 30
    while not (log.exists() and log.read_text().endswith("\n")) and time.monotonic() < until:
        time.sleep(0.05)
    child, password = log.read_text().split()
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    with pytest.raises(ProcessLookupError):
        os.kill(int(child), 0)
    assert not Path(password).exists()
