# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a release in a folder on the controller: which are needed, and whether they are what the release says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from .digests import Digests
from .kinds import Objection, object_to
from .names import plain
from .versions import image_tag

ARCHIVES: Final = (".tar.zst", ".tar.gz", ".tar")
CACHE: Final = ".vitro-digests.json"
# From this line on core has Traefik, and ingress-nginx is the one that comes beside it.
TRAEFIK_IN_CORE: Final = 36
LINE = re.compile(r"([0-9a-f]{64})  ?\*?(\S+)")


@dataclass(frozen=True, slots=True)
class Artifact:
    """`kind` is programs or images."""

    name: str
    kind: str
    path: str
    size: int
    digest: str


def needed_images(minor: int, cnis: Iterable[str], ingresses: Iterable[str]) -> list[str]:
    """The archives, without architecture and ending."""
    names = ["core", *(one for one in cnis if one != "none")]
    beside = "ingress-nginx" if minor >= TRAEFIK_IN_CORE else "traefik"
    return [f"rke2-images-{one}" for one in [*names, *(one for one in ingresses if one == beside)]]


def read_release(
    folder: Path, version: str, architecture: str, images: Iterable[str], *, programs: bool, write: bool
) -> tuple[list[Artifact], list[Objection]]:
    """What is to be brought to hosts, and everything that is wrong with it. Each file is read once, as long as it stays what it is."""
    checksums = _checksums(folder / f"sha256sum-{architecture}.txt")
    if checksums is None:
        text = f"{folder} has no sha256sum-{architecture}.txt" if folder.is_dir() else f"there is no folder {folder}"
        return [], [object_to("checksums_missing", "", text)]
    found, objections = [], []
    digests = Digests(folder / CACHE)
    for kind, names in _choices(folder, architecture, images, programs=programs):
        name = next((one for one in names if (folder / one).is_file()), None)
        if name is None:
            objections.append(object_to("artifact_missing", "", f"{folder} has no {names[0]}"))
            continue
        artifact = Artifact(name, kind, str(folder / name), (folder / name).stat().st_size, digests.of(folder / name))
        found.append(artifact)
        if (wanted := checksums.get(name)) != artifact.digest and (wanted or name.startswith("rke2")):
            said = f"its sha256 is {artifact.digest[:12]}, and the release has {wanted[:12]}" if wanted else "the release does not list it"
            objections.append(object_to("artifact_broken", "", f"{folder / name} ({artifact.size:,} bytes): {said}"))
    if write:
        digests.save()
    return found, [*objections, *_other(folder, version, architecture)]


def _choices(folder: Path, architecture: str, images: Iterable[str], *, programs: bool) -> Iterator[tuple[str, list[str]]]:
    """What is needed, each with the files of which one will do; then archives of other makers that lie there."""
    if programs:
        yield "programs", [f"rke2.linux-{architecture}.tar.gz"]
    wanted = list(images)
    legacy = {"rke2-images-core", "rke2-images-canal"}
    if wanted and not _there(folder, "rke2-images-core", architecture) and (bundle := _there(folder, "rke2-images", architecture)):
        yield "images", bundle
        wanted = [one for one in wanted if one not in legacy]
    for one in wanted:
        yield "images", [f"{one}.linux-{architecture}{ending}" for ending in ARCHIVES]
    for path in sorted(folder.iterdir()):
        if path.name.endswith(ARCHIVES) and not path.name.startswith("rke2"):
            yield "images", [path.name]


def _there(folder: Path, name: str, architecture: str) -> list[str]:
    return [one.name for ending in ARCHIVES if (one := folder / f"{name}.linux-{architecture}{ending}").is_file()]


def _checksums(path: Path) -> dict[str, str] | None:
    try:
        return {name: digest for digest, name in LINE.findall(path.read_text())}
    except OSError:
        return None


def _other(folder: Path, version: str, architecture: str) -> Iterator[Objection]:
    """The list beside the archive says which runtime is in it."""
    path = folder / f"rke2-images-core.linux-{architecture}.txt"
    runtime = [line for line in path.read_text().splitlines() if "rke2-runtime:" in line] if path.is_file() else []
    if runtime and not any(line.rpartition(":")[2].startswith(image_tag(version)) for line in runtime):
        yield object_to("artifact_other", "", f"{path} has {runtime[0].rpartition('/')[2]}, and {version} is wanted")


def listed_images(artifacts: Iterable[Artifact]) -> list[str]:
    """The names of all images in archives, from the lists that the release has beside them."""
    found: list[str] = []
    for one in artifacts:
        path = Path(one.path)
        ending = next((each for each in ARCHIVES if path.name.endswith(each)), "")
        beside = path.with_name(f"{path.name.removesuffix(ending)}.txt")
        if one.kind == "images" and beside.is_file():
            found += [plain(line.strip()) for line in beside.read_text().splitlines() if line.strip()]
    return sorted(set(found))


def to_data(artifacts: Iterable[Artifact]) -> list[dict[str, Any]]:
    return [asdict(one) for one in artifacts]


def missing(artifacts: Iterable[Mapping[str, Any]], archives: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Archives that a host does not have as they are."""
    return [one for one in artifacts if one["kind"] == "images" and archives.get(one["name"], {}).get("digest") != one["digest"]]
