#!/usr/bin/python
# SPDX-FileCopyrightText: Vitro contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: kolla_images
short_description: List the container images that a site needs
version_added: 0.1.0
description:
  - Writes registry, name and tag of every image that the hosts of a site would pull, one in each line, for whoever fills the registry of a
    site without Internet.
  - The list comes from the installed kolla-ansible, which is asked for the images of the services that this configuration enables, for one
    host of each kind. Names and tags that the operator's keys change are changed in the list too.
  - Runs on the controller only, and contacts neither a host nor the registry.
author:
  - Vitro contributors (@frontier)
options:
  config:
    description: Kolla's configuration directory, as M(frontier.vitro.kolla_topology) writes it.
    type: path
    required: true
  venv:
    description: The virtual environment that has kolla-ansible.
    type: path
    required: true
  dest:
    description: Where to write the list. It is replaced in one step, if it differs.
    type: path
    required: true
attributes:
  check_mode:
    support: full
    description: Makes the list all the same, and does not write it.
  diff_mode:
    support: full
    description: The diff shows which images come and go.
"""

EXAMPLES = r"""
- name: List the images of the site
  frontier.vitro.kolla_images:
    config: rendered/kolla
    venv: venv-kolla
    dest: rendered/images.txt
  register: listed

- name: Say how many there are
  ansible.builtin.debug:
    msg: "{{ listed.images | length }} images, see {{ listed.dest }}"
"""

RETURN = r"""
images:
  description: The images, in the order of their names.
  returned: success
  type: list
  elements: str
dest:
  description: Where the list is.
  returned: success
  type: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.frontier.vitro.plugins.module_utils.kolla.arguments import IMAGES_ARGUMENTS


def main() -> None:
    """The action plugin of the same name does the work; this is what Ansible would run without it."""
    module = AnsibleModule(argument_spec=IMAGES_ARGUMENTS, supports_check_mode=True)
    module.fail_json(msg="Cannot list images here: call it as frontier.vitro.kolla_images, so that it runs on the controller")


if __name__ == "__main__":
    main()
