# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a node's wish alone: its version, its keys and their values. Needs no host."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Final

from .checks_networks import check_networks, check_registration
from .keys import MANAGED, known_keys
from .kinds import Objection, object_to
from .versions import LINES, version_of
from .wanted import Wish, config_of, words_of

CNIS: Final = ("none", "canal", "calico", "cilium", "flannel")
INGRESSES: Final = ("none", "traefik", "ingress-nginx")
# From 1.25 on; cis-1.23 is the same under its old name.
PROFILES: Final = ("", "cis", "etcd")
NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
OBJECT = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
WORD: Final = r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?"
LABEL = re.compile(rf"(([a-z0-9.-]{{1,253}})/)?{WORD}")
VALUE = re.compile(rf"({WORD})?")
TAINT = re.compile(rf"(([a-z0-9.-]{{1,253}})/)?{WORD}(=({WORD})?)?:(NoSchedule|PreferNoSchedule|NoExecute)")
# Kubelets may not give themselves these (the admission plugin NodeRestriction).
OTHERS_LABELS: Final = ("node-role.kubernetes.io/", "node-restriction.kubernetes.io/")


def check_wish(wish: Wish) -> list[Objection]:
    return [
        *_version(wish),
        *_keys(wish),
        *_values(wish),
        *_profile(wish),
        *_node(wish),
        *_manifests(wish),
        *check_networks(wish),
        *check_registration(wish),
    ]


def _version(wish: Wish) -> Iterator[Objection]:
    found = version_of(wish.version)
    if found is None:
        yield object_to("version_form", "", f"rke2_version is `{wish.version}`")
    elif found[0] not in LINES:
        yield object_to("version_line", "", f"rke2_version is {wish.version}, and known are 1.{LINES[0]} to 1.{LINES[-1]}")


def _keys(wish: Wish) -> Iterator[Objection]:
    known = known_keys(wish.minor or LINES[-1])
    for written in wish.config:
        key = str(written).removesuffix("+")
        if key in MANAGED:
            port = " (and nodes register on 9345, never on 6443)" if key == "server" and ":6443" in str(wish.config[written]) else ""
            yield object_to("key_managed", wish.name, f"rke2_config has `{key}`{port}", f"Take it out, and {MANAGED[key]}")
        elif key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            yield object_to("key_unknown", wish.name, f"rke2_config has `{key}`, which {wish.version} does not know{hint}")


def _values(wish: Wish) -> Iterator[Objection]:
    if not wish.server:
        return
    config = config_of(wish)
    cnis = words_of(config.get("cni", "canal"))
    plain = cnis[1:] if cnis[:1] == ["multus"] else cnis
    if len(plain) != 1 or plain[0] not in CNIS:
        yield object_to("cni_form", wish.name, f"cni is `{','.join(cnis)}`")
    for one in words_of(config.get("ingress-controller", "none")):
        if one not in INGRESSES:
            yield object_to("ingress_form", wish.name, f"ingress-controller has `{one}`")
    if wish.fips:
        if plain != ["canal"]:
            yield object_to("fips_network", wish.name, f"rke2_fips is on, and cni is `{','.join(cnis)}`")
        if (provider := config.get("secrets-encryption-provider", "aescbc")) != "aescbc":
            yield object_to("fips_encryption", wish.name, f"rke2_fips is on, and secrets-encryption-provider is `{provider}`")


def _profile(wish: Wish) -> Iterator[Objection]:
    config = config_of(wish)
    profile = str(config.get("profile", ""))
    if profile not in PROFILES:
        yield object_to("profile_form", wish.name, f"profile is `{profile}`")
    if profile == "cis" and str(config.get("protect-kernel-defaults", "true")).lower() == "false":
        yield object_to("profile_kernel", wish.name, "profile is `cis`, and protect-kernel-defaults is false")


def _node(wish: Wish) -> Iterator[Objection]:
    name = str(config_of(wish)["node-name"])
    if not NAME.fullmatch(name):
        yield object_to("name_form", wish.name, f"the node's name would be `{name}`")
    for key, value in wish.labels.items():
        if not LABEL.fullmatch(str(key)) or not VALUE.fullmatch(str(value)):
            yield object_to("label_form", wish.name, f"`{key}={value}`")
        elif str(key).startswith(OTHERS_LABELS):
            yield object_to("label_form", wish.name, f"a node may not give itself `{key}`", "Set it with kubectl, or take another name")
    yield from (object_to("taint_form", wish.name, f"`{one}`") for one in wish.taints if not TAINT.fullmatch(str(one)))


def _manifests(wish: Wish) -> Iterator[Objection]:
    for name, content in wish.manifests.items():
        if not OBJECT.fullmatch(str(name)) or str(name).startswith("rke2-"):
            yield object_to("manifest_name", wish.name, f"rke2_manifests has `{name}`")
        parts = [] if isinstance(content, str) else content if isinstance(content, list) else [content]
        for one in parts:
            if not isinstance(one, dict) or not {"apiVersion", "kind"} <= set(one) or not (one.get("metadata") or {}).get("name"):
                yield object_to("manifest_form", wish.name, f"`{name}` in rke2_manifests has a part without apiVersion, kind or a name")
