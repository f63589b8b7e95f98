# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and attributes that everything reading BMCs shares."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  targets:
    description:
      - The BMCs to read. Each entry is an address, or a dictionary with an address and settings of its own.
      - An address is an IP address, a host name, a range (V(192.0.2.10-192.0.2.40) or V(192.0.2.10-40)) or a network
        (V(192.0.2.0/26)). Every address of a range must answer; a network is searched, and addresses without a BMC in it
        are no failure. At most 4096 addresses are read in one run.
      - A dictionary has V(address), or V(file) with one address per line, and may have V(port), V(ipmi_port), V(protocol),
        V(credentials) (the name of a set in O(credentials)), V(validate_certs), V(ca_path), V(fingerprint), and the place of
        the server where its BMC does not know it, V(site), V(rack), V(unit).
      - A single address stands over a range or network that also contains it. Naming a BMC twice otherwise is refused.
    type: list
    elements: raw
    required: true
  credentials:
    description:
      - Named sets of credentials, for targets whose account differs from O(username) and O(password).
    type: list
    elements: dict
    default: []
    suboptions:
      name:
        description: The name by which targets refer to the set.
        type: str
        required: true
      username:
        description: The account on the BMC.
        type: str
        required: true
      password:
        description: Its password.
        type: str
        required: true
  validate_certs:
    description:
      - Whether the BMC's certificate must be valid. Switching this off is reported as a finding on every server.
    type: bool
    default: true
  ca_path:
    description: A PEM file with the CA certificates that the BMCs' certificates are verified with instead of the system's.
    type: str
  fingerprint:
    description:
      - The SHA-256 fingerprint of the BMC's certificate, for BMCs that keep the certificate they were made with.
        It replaces the check against a CA. Mostly of use in a single entry of O(targets).
    type: str
  port:
    description: The HTTPS port of the BMCs.
    type: int
    default: 443
  ipmi_port:
    description: The UDP port of IPMI.
    type: int
    default: 623
  protocol:
    description:
      - V(redfish) and V(ipmi) use that protocol alone. V(auto) tries IPMI where no Redfish service answers.
    type: str
    choices: [auto, redfish, ipmi]
    default: auto
  timeout:
    description: Seconds that one request may take.
    type: int
    default: 30
  deadline:
    description: Seconds that one BMC may take. What was read until then is kept, with a warning.
    type: int
    default: 300
  concurrency:
    description: BMCs that are read at once. Each gets at most four requests at a time.
    type: int
    default: 64
  keep_alive:
    description: Whether connections are used again. Switch it off for BMCs that choke on long connections.
    type: bool
    default: true
requirements:
  - Python 3.11
  - aiohttp
  - netaddr
  - pydantic
  - pyghmi
  - yarl
"""
