#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: ovn_certificate
short_description: Keep the certificates of OVN's parts
version_added: 0.1.0
description:
  - A host makes its private key, which never leaves it; the controller signs a certificate for it with the CA of the site. A certificate
    that ends within 60 days, or that another CA signed, is made anew for the same key.
  - The CA is in O(authority). V(ca.crt) with V(ca.key) is made if neither is there, or may be brought. The key is locked with the vault
    password of the run.
  - Where somebody else signs, bring V(ca.crt) and for each host V(NAME.crt) and V(NAME.key), which may be locked. A brought certificate
    that is expired, of another CA or of another key is refused, and nothing is changed.
author:
  - Vitro contributors (@frontier)
options:
  authority:
    description: The folder of the CA on the controller.
    type: path
  site:
    description: What a new CA is called after.
    type: str
  name:
    description: The name in the certificate. Without it, only the CA is seen to.
    type: str
  addresses:
    description: Addresses in the certificate.
    type: list
    elements: str
    default: []
  folder:
    description: Where the host has C(key.pem) C(cert.pem) and C(ca.pem).
    type: path
    default: /etc/ovn/vitro
  locked:
    description:
      - Whether the certificate is for somebody who is not on this host, such as Neutron. Then C(NAME.crt), C(NAME.key) and C(ca.crt) are
        kept in O(folder) on the controller, the key locked with the vault password of the run.
    type: bool
    default: false
  certificate:
    description: A signed certificate to write. The controller's part of this module gives it.
    type: str
  ca:
    description: The certificate of the CA to write. The controller's part of this module gives it.
    type: str
  key:
    description: A brought private key to write. The controller's part of this module gives it.
    type: str
attributes:
  check_mode:
    support: full
    description: Makes nothing, and says what would be made.
  diff_mode:
    support: full
    description: Shows how long certificates last. Keys are not shown.
requirements:
  - openssl on the host
"""

EXAMPLES = r"""
- name: See that the site has a CA
  frontier.vitro.ovn_certificate:
    authority: sites/example/ovn/ca
    site: example
  run_once: true

- name: Give the host its certificate
  frontier.vitro.ovn_certificate:
    authority: sites/example/ovn/ca
    site: example
    name: cloud-01
    addresses: [192.0.2.11]
  become: true
"""

RETURN = r"""
ends:
  description: The day on which the certificate ends.
  returned: with O(name), unless it would be made in check mode
  type: str
why:
  description: Why it was made anew, one reason each.
  returned: with O(name)
  type: list
  elements: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.errors import VitroError
from ansible_collections.frontier.vitro.plugins.module_utils.ovn.keys import look, write

ARGUMENTS = {
    "authority": {"type": "path"},
    "site": {"type": "str"},
    "name": {"type": "str"},
    "addresses": {"type": "list", "elements": "str", "default": []},
    "folder": {"type": "path", "default": "/etc/ovn/vitro"},
    "locked": {"type": "bool", "default": False},
    "certificate": {"type": "str"},
    "ca": {"type": "str"},
    "key": {"type": "str", "no_log": True},
}


def main() -> None:
    """The host's part: what is there, or, with a certificate, the writing of it."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given, folder = module.params, Path(module.params["folder"])
    try:
        if given["certificate"]:
            changed = write(folder, given["certificate"], given["ca"], given["key"] or "")
            module.exit_json(changed=bool(changed), files=changed)
        seen = look(folder, given["name"] or "", check_mode=module.check_mode)
    except VitroError as exc:
        module.fail_json(msg=str(exc), code=exc.code)
    module.exit_json(changed=seen["made"], **seen)


if __name__ == "__main__":
    main()
