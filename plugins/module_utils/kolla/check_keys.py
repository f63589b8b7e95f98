# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys that Kolla does not know, no longer knows, or sees elsewhere first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from .check_read import PASSWORDS, Site
from .effective import Setting
from .findings import Finding, Kind
from .package import Package
from .tree import nearest

# Variables that the package only asks for (`x is defined`, `x | default(...)`) and never defines.
ASKED_FOR = re.compile(r"\b([a-z][a-z0-9_]*)\s*(?:\|\s*(?:default|d)\b|is\s+(?:not\s+)?defined)")
# Those of the collection openstack.kolla, which kolla-ansible's package does not have: they prepare hosts.
NAMES: Final = """
apparmor_remove_libvirt_profile apt_cache_valid_time change_selinux containerd_configure_for_zun create_kolla_user
create_kolla_user_sudoers customize_etc_hosts disable_firewall docker_apt_key_file docker_apt_key_id docker_apt_package
docker_apt_package_pin docker_apt_repo docker_apt_url docker_configure_for_zun docker_custom_config docker_custom_option
docker_http_proxy docker_https_proxy docker_no_proxy docker_packages docker_registry_ca docker_sdk_packages docker_sdk_pip_packages
docker_sdk_upper_constraints_file docker_sdk_virtualenv_owner docker_storage_driver docker_ulimit_nofile docker_yum_baseurl
docker_yum_gpgcheck docker_yum_gpgkey docker_yum_package docker_yum_package_pin docker_yum_url enable_docker_repo host_python_version
kolla_group kolla_user podman_packages podman_registry podman_registry_ca podman_registry_insecure podman_runtime_directory
podman_sdk_osbpo_apt_url podman_sdk_packages podman_sdk_pip_packages podman_sdk_upper_constraints_file podman_sdk_virtualenv_owner
podman_storage_driver private_registry private_registry_ca redhat_pkg_install redhat_pkg_removals selinux_state ubuntu_pkg_install
ubuntu_pkg_removals virtualenv virtualenv_site_packages
"""
HOST_KEYS: Final = frozenset(NAMES.split())
# What became of keys that older releases had. Names are too far apart for a nearest one.
GONE: Final = {
    "enable_redis": "Redis was replaced by Valkey: use `enable_valkey`",
    "enable_ceph": "Kolla deploys no Ceph any more: this collection's role `ceph` does, and the keys are cinder_backend_ceph and the like",
    "enable_elasticsearch": "Elasticsearch was replaced: use `enable_opensearch`",
    "enable_kibana": "Kibana was replaced: use `enable_opensearch_dashboards`",
    "enable_chrony": "Kolla brings no chrony any more: the role `host_base` sets the time",
    "enable_swift": "Swift was removed: use `enable_ceph_rgw`",
    "enable_neutron_linuxbridge": "the Linux bridge agent was removed: use OVN",
    "kolla_install_type": "images are built from source only; remove it",
    "kolla_ansible_release": "use `openstack_release`",
}

UNKNOWN_KEY = Kind(
    "unknown_key",
    "Kolla has no such key",
    "Correct the key, or remove it; keys that only your own overrides use need a name that begins with `custom_`",
    "Passes, and goes on with the default",
)
GONE_KEY = Kind(
    "gone_key",
    "An older release had this key",
    "Do as the text says and remove the key",
    "Stops at enable_ceph and enable_redis if they are on; ignores the others",
)
HIDDEN_KEY = Kind(
    "hidden_key",
    "A host's or group's key also stands in globals, which win",
    "Remove it from globals if hosts differ, or from the host's or group's file if they do not",
    "Takes the one in globals without a word",
    "warning",
)


def check_keys(site: Site) -> Iterator[Finding]:
    known = site.package.keys | HOST_KEYS
    variables = site.variables
    for file_keys, host in ((variables.extra, None), *((given, host) for host, given in variables.hosts.items())):
        for key, given in file_keys.items():
            yield from _judged(site, key, given, host, known)
    for name, given_keys in variables.groups.items():
        for key, given in given_keys.items():
            yield from _judged(site, key, given, None, known)
            if key in variables.extra:
                yield _hidden(site, key, given, None, f"the group `{name}`")
    for host, given_keys in variables.hosts.items():
        for key in given_keys.keys() & variables.extra.keys():
            # Interfaces have a finding of their own.
            if not key.endswith("_interface"):
                yield _hidden(site, key, given_keys[key], host, host)


def _judged(site: Site, key: str, given: Setting, host: str | None, known: frozenset[str]) -> Iterator[Finding]:
    if given.file == PASSWORDS:
        return
    if key in GONE and key not in site.package.keys:
        # The words may hold a key that this package does not have either; they are for people.
        yield GONE_KEY.of(given.file, f"`{key}` is gone: {GONE[key]}", key=key, value=given.value, host=host)
    elif key not in known and not key.startswith(("ansible_", "custom_")) and key not in asked_for(site.package):
        near = nearest(key, sorted(known))
        text = f"kolla-ansible {site.package.version} has no key `{key}`" + (f"; did you mean `{near}`?" if near else "")
        yield UNKNOWN_KEY.of(given.file, text, key=key, value=_shown(key, given.value), host=host)


def _hidden(site: Site, key: str, given: Setting, host: str | None, whose: str) -> Finding:
    text = f"`{key}` of {whose} loses against {site.variables.extra[key].file}"
    return HIDDEN_KEY.of(given.file, text, key=key, value=_shown(key, given.value), host=host)


def _shown(key: str, value: object) -> object:
    """Somebody may have put a secret where none belongs."""
    secret = any(word in key for word in ("pass", "secret", "token", "key"))
    return None if secret or isinstance(value, dict | list) else value


@cache
def asked_for(package: Package) -> frozenset[str]:
    """Reads the whole package, so it is asked only about keys that are not known otherwise."""
    ansible = package.data / "ansible"
    files = (path for path in ansible.rglob("*") if path.suffix in (".yml", ".yaml", ".j2"))
    found = {name for path in files for name in ASKED_FOR.findall(path.read_text(errors="replace"))}
    return frozenset(found - GONE.keys())
