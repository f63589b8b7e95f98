# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a change of a host's network, and confirms it over a new connection to the planned management address."""

from __future__ import annotations

import time
from typing import Any

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.action import ActionBase

from ..module_utils.errors import VitroError
from ..module_utils.host.errors import HostRefused, NetworkRolledBack
from ..module_utils.host.interfaces import address_in

# How long a host may need to bring back the old configuration.
BACK_SECONDS = 180


class ActionModule(ActionBase):
    _supports_check_mode = True
    _supports_diff = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        try:
            result |= self._change(task_vars or {})
        except VitroError as exc:
            result |= {"failed": True, "changed": False, "msg": str(exc), "code": exc.code}
        return result

    def _change(self, variables: dict[str, Any]) -> dict[str, Any]:
        server = self._task.args["server"]
        seconds = int(self._task.args.get("rollback_seconds", 60))
        planned = address_in(server, "management")
        before = self._host()
        if not planned or before is None:
            raise HostRefused(f"Cannot prepare the network of {server['name']}: it has no management address, or the connection is not ssh")
        result = self._stage(variables, "apply")
        if result.get("failed") or "id" not in result:
            return result
        said = self._confirm(variables, str(result["id"]), planned, seconds)
        if said is None:
            return result
        self._point_to(before)
        reason = self._outcome(variables)
        tried = f"the controller did not reach it at {planned} within {seconds} s ({said})"
        if reason is None:
            raise NetworkRolledBack(
                f"The new network configuration of {server['name']} is not kept: {tried}. It takes it back by itself, and has not answered "
                f"at {before} for {BACK_SECONDS} s since",
                cure="Look at its console",
            )
        raise NetworkRolledBack(
            f"The new network configuration of {server['name']} was taken back, the old one is in force again: {tried}. "
            f"The host says: {reason}"
        )

    def _stage(self, variables: dict[str, Any], stage: str, **more: Any) -> dict[str, Any]:
        arguments = {**self._task.args, "stage": stage, **more} if stage != "apply" else {"stage": "apply", **self._task.args}
        return dict(self._execute_module(module_name="frontier.vitro.host_network", module_args=arguments, task_vars=variables))

    def _host(self) -> str | None:
        try:
            return str(self._connection.get_option("host"))
        except KeyError:
            return None

    def _point_to(self, address: str) -> None:
        """The next command goes over a new connection, to this address."""
        self._connection.reset()
        self._connection.set_option("host", address)
        self._connection.reset()
        # The folder that Ansible made on the host for this task may be out of reach.
        self._connection._shell.tmpdir = None  # noqa: SLF001 - Ansible has no other door

    def _confirm(self, variables: dict[str, Any], number: str, address: str, seconds: int) -> str | None:
        """None if the change was kept, else why not.

        The host must first say, in an answer that came over its new network, that the change is made: a connection that is older would
        prove nothing. Only then a second connection confirms.
        """
        until = time.monotonic() + seconds
        said = "no answer"
        while time.monotonic() < until:
            self._point_to(address)
            try:
                state = self._stage(variables, "outcome").get("outcome", {})
                if state.get("id") == number and state["state"] == "waiting":
                    self._point_to(address)
                    left = max(1, int(until - time.monotonic()))
                    confirmed = self._stage(variables, "confirm", id=number, rollback_seconds=left)
                    return str(confirmed.get("msg")) if confirmed.get("failed") else None
                if state.get("id") == number and state["state"] == "rolled back":
                    return "it gave up by itself"
            except AnsibleConnectionFailure as exc:
                said = str(exc).strip().splitlines()[-1][-200:]
            time.sleep(1)
        return said

    def _outcome(self, variables: dict[str, Any]) -> str | None:
        until = time.monotonic() + BACK_SECONDS
        while time.monotonic() < until:
            try:
                outcome = self._stage(variables, "outcome").get("outcome", {})
            except AnsibleConnectionFailure:
                self._connection.reset()
                outcome = {}
            if outcome.get("state") == "rolled back":
                return str(outcome["reason"])
            time.sleep(2)
        return None
