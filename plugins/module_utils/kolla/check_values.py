# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values: of the right type, one of those that Kolla knows, and the plan's where the plan decides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from .check_read import PASSWORDS, Site
from .effective import UNKNOWN, Setting, has_template, template_mistake, to_bool, to_int
from .findings import Finding, Kind
from .package import Package
from .tree import nearest

# A comment that lists the values of the key below it; the packages' own words differ.
CHOICES = re.compile(
    r"^#[^\n]*?(?:[Vv]alid (?:options|values)|one of)[^\n\[]*\[(?P<values>[^\]\n]*)\]:?[^\n]*\n(?:#[^\n:]*\n)*#?(?P<key>[a-z][a-z0-9_]*):",
    re.MULTILINE,
)
# Its comment is older than its code, which takes valkey too.
NOT_LISTED: Final = frozenset({"osprofiler_backend"})
MOST_PORT: Final = 65535
MOST_EXPIRY: Final = 604800
LONG: Final = 60

VALUE_UNKNOWN = Kind(
    "value_unknown",
    "Kolla knows no such value for the key",
    "Use one of the values that are named",
    "Passes mostly; what it selects by the value is then silently left out",
)
NOT_BOOLEAN = Kind(
    "not_boolean",
    "A switch is neither on nor off",
    "Write true or false",
    "Takes it for off",
)
NOT_NUMBER = Kind(
    "not_number",
    "A number is none, or out of bounds",
    "Write a whole number within the bounds",
    "Passes mostly; the service fails to start",
)
TEMPLATE_BROKEN = Kind(
    "template_broken",
    "A value is meant as a template and is none",
    "Close every brace that is opened, and quote a value that begins with one",
    "Stops at the first task that uses it, with Ansible's message",
)
DISTRO_DIFFERS = Kind(
    "distro_differs",
    "The images are of another distribution than the servers",
    "Set kolla_base_distro to the servers' distribution, or plan another operating system (versions.os)",
    "Passes; kernel modules and libvirt of two distributions meet",
)
RELEASE_DIFFERS = Kind(
    "release_differs",
    "OpenStack's release is another one than the installed kolla-ansible deploys",
    "Use the release of the installed package, or install the kolla-ansible of the release",
    "Passes; configuration and images do not go together",
)
PACKAGE_DIFFERS = Kind(
    "package_differs",
    "The installed kolla-ansible is not the planned one",
    "Install the planned version, or change versions.kolla_ansible in the intent and plan again",
    "Knows no plan",
)
ENGINE_DIFFERS = Kind(
    "engine_differs",
    "The container engine is another one than the plan has",
    "Set openstack.engine in the intent and plan again: the role host_base installs the planned one",
    "Fails on each host: the engine is not there",
)
FERNET = Kind(
    "fernet_expiry",
    "fernet_token_expiry is no whole number from 0 to 604800",
    "Use seconds, at most a week, as a number without quotes",
    "Stops with a clear message",
)
DNS_DOMAIN = Kind(
    "dns_domain",
    "neutron_dns_domain must end with a full stop if DNS is integrated",
    "Write it with a full stop at the end, and not `openstacklocal`",
    "Stops with a clear message",
)
TENANT_TYPE = Kind(
    "tenant_type",
    "A tenant network type is not among the type drivers",
    "Add it to neutron_type_drivers, or take it out of neutron_tenant_network_types",
    "Stops with a clear message",
)


def check_values(site: Site) -> Iterator[Finding]:
    for key, given, host in _given(site):
        if given.file != PASSWORDS and (wrong := template_mistake(given.value)):
            yield TEMPLATE_BROKEN.of(given.file, f"`{key}` is no template: {wrong}", key=key, host=host)
        if given.file != PASSWORDS and given.value is not UNKNOWN and not has_template(given.value):
            yield from _judged(site, key, given, host)
    yield from _versions(site)
    yield from _neutron(site)
    expiry = site.variables.value("fernet_token_expiry")
    whole = isinstance(expiry, int) and not isinstance(expiry, bool)
    if expiry is not UNKNOWN and expiry is not None and not (whole and 0 <= expiry <= MOST_EXPIRY):
        text = f"`{expiry}` is no whole number from 0 to {MOST_EXPIRY}"
        yield FERNET.of(site.variables.file("fernet_token_expiry"), text, key="fernet_token_expiry", value=expiry)


def _given(site: Site) -> Iterator[tuple[str, Setting, str | None]]:
    yield from ((key, given, None) for key, given in site.variables.extra.items())
    yield from ((key, given, None) for keys in site.variables.groups.values() for key, given in keys.items())
    yield from ((key, given, host) for host, keys in site.variables.hosts.items() for key, given in keys.items())


def _judged(site: Site, key: str, given: Setting, host: str | None) -> Iterator[Finding]:
    value, default = given.value, site.variables.defaults.get(key)
    where = {"key": key, "value": str(value)[:LONG], "host": host}
    allowed = choices(site.package).get(key)
    if allowed and _plain(value) not in allowed:
        near = nearest(_plain(value), [one for one in allowed if one])
        said = f"Kolla knows {', '.join(f'`{one}`' for one in allowed)} for `{key}`" + (f"; did you mean `{near}`?" if near else "")
        yield VALUE_UNKNOWN.of(given.file, said, **where)
    elif _is_switch(key, default) and (to_bool(value) is None or value in (None, "") or isinstance(value, dict | list)):
        yield NOT_BOOLEAN.of(given.file, f"`{key}` is a switch and `{where['value']}` is neither on nor off", **where)
    elif key.endswith("_port") and (isinstance(default, str | int) and default != ""):
        number = to_int(value)
        if number is None or not 1 <= number <= MOST_PORT:
            yield NOT_NUMBER.of(given.file, f"`{key}` is a port, a number from 1 to {MOST_PORT}", **where)
    elif key not in ("fernet_token_expiry", "keepalived_virtual_router_id") and to_int(default) is not None and not _is_number(value):
        yield NOT_NUMBER.of(given.file, f"`{key}` is a number, by default {default}", **where)


def _plain(value: Any) -> str:
    """YAML makes `no` of a bare no."""
    return {False: "no", None: ""}.get(value, str(value)) if isinstance(value, bool) or value is None else str(value)


def _is_switch(key: str, default: Any) -> bool:
    words = isinstance(default, str) and default.lower() in ("yes", "no", "true", "false")
    return isinstance(default, bool) or words or (key.startswith("enable_") and default is not None)


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and (isinstance(value, int | float) or to_int(value) is not None)


@cache
def choices(package: Package) -> dict[str, tuple[str, ...]]:
    """The values that the package's own comments list for a key."""
    files = [*sorted((package.data / "ansible/group_vars").rglob("*.yml")), package.data / "etc_examples/kolla/globals.yml"]
    found: dict[str, tuple[str, ...]] = {}
    for one in (one for path in files for one in CHOICES.finditer(path.read_text())):
        values = [part.strip().strip("'\"") for part in one["values"].split(",")]
        found[one["key"]] = tuple(dict.fromkeys((*found.get(one["key"], ()), *values)))
    switches = {key for key, values in found.items() if set(values) <= {"True", "False"}}
    return {key: values for key, values in found.items() if key not in NOT_LISTED | switches}


def _versions(site: Site) -> Iterator[Finding]:
    plan, variables = site.plan, site.variables
    installed = str(variables.defaults.get("openstack_release", ""))
    wanted = (
        (DISTRO_DIFFERS, "kolla_base_distro", plan.versions.os.partition("-")[0], "the servers have"),
        (RELEASE_DIFFERS, "openstack_release", installed, f"kolla-ansible {site.package.version} deploys"),
        (ENGINE_DIFFERS, "kolla_container_engine", plan.openstack.engine, "the plan has"),
    )
    for kind, key, right, who in wanted:
        given = variables.text(key)
        known = choices(site.package).get(key)
        if given is not None and given != right and (not known or given in known):
            yield kind.of(variables.file(key), f"{who} {right}", key=key, value=given)
    if site.package.version != plan.versions.kolla_ansible:
        text = f"kolla-ansible {site.package.version} is installed and {plan.versions.kolla_ansible} is planned"
        yield PACKAGE_DIFFERS.of("plan.json", text, key="versions.kolla_ansible", value=plan.versions.kolla_ansible)


def _neutron(site: Site) -> Iterator[Finding]:
    variables = site.variables
    domain = variables.text("neutron_dns_domain")
    if variables.true("neutron_dns_integration") and domain is not None and (not domain.endswith(".") or domain == "openstacklocal."):
        text = f"`{domain}` does not end with a full stop"
        yield DNS_DOMAIN.of(variables.file("neutron_dns_domain"), text, key="neutron_dns_domain", value=domain)
    drivers, types = (variables.text(key) for key in ("neutron_type_drivers", "neutron_tenant_network_types"))
    if drivers is not None and types is not None:
        known = [one.strip() for one in drivers.split(",")]
        for one in (one.strip() for one in types.split(",")):
            if one and one not in known:
                text = f"`{one}` is not among the type drivers {drivers}"
                yield TENANT_TYPE.of(variables.file("neutron_tenant_network_types"), text, key="neutron_tenant_network_types", value=types)
