# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every example that users read is run as it stands, against emulated racks."""

from __future__ import annotations

import json
import re
import shutil

import pytest
import yaml

from tests.integration.examples.stage import raised_stage
from tests.unit.tree import ROOT, constants, name, plugins, roles

# What works on hosts is played where there are some, in these scenarios; here only its form is checked.
ON_HOSTS = {
    "host_network": "host_base",
    "host_reach": "host_base",
    "host_base": "host_base",
    "kolla_command": "kolla_hci",
    "kolla_health": "kolla_hci",
    "kolla_deploy": "kolla_hci",
    "kolla_backup": "kolla_day2",
    "kolla_database": "kolla_day2",
    "kolla_restore": "kolla_day2",
    **{one.stem: "ovn_raft" for one in plugins(["modules"]) if one.stem.startswith("ovn_")},
    "ovn": "ovn_raft",
    **{one.stem: "ceph_hci" for one in plugins(["modules"]) if one.stem.startswith("ceph_")},
    "ceph": "ceph_hci",
    **{one.stem: "rke2_ha" for one in plugins(["modules"]) if one.stem.startswith("rke2_")},
    "rke2": "rke2_ha",
}
# What talks to a cloud is played where there is one: tests/engines/cloud/test_examples.py.
ON_CLOUD = {one.stem for one in plugins(["modules"]) if one.stem.startswith("cloud_")}


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with raised_stage(tmp_path_factory.mktemp("stage")) as stage:
        yield stage


def examples(path):
    return [yaml.safe_load(part) for part in constants(path)["EXAMPLES"].split("\n---\n")]


@pytest.fixture(scope="module")
def site(stage):
    """A folder with the bmc.yml that the inventory plugin shows first; only the port differs, as 443 needs root."""
    shown = examples(ROOT / "plugins/inventory/bmc.py")[0]
    return stage.write("inventories/example/bmc.yml", {**shown, "port": stage.port}).parent


@pytest.fixture(scope="module")
def document(stage, site):
    """Its hardware document."""
    document = stage.folder / "hardware.json"
    stage.play("frontier.vitro.discover", "--inventory", str(site), "--extra-vars", f"bmc_discovery_document={document}")
    return document


@pytest.fixture(scope="module")
def plan(stage, site, document):
    """The plan of these servers, for the intent in the folder to copy."""
    paths = {"hardware": document, "document": stage.folder / "plan.json", "report": stage.folder / "report.html"}
    given = [word for key, path in paths.items() for word in ("--extra-vars", f"site_plan_{key}={path}")]
    stage.play("frontier.vitro.plan", "--inventory", str(site), *given)
    return paths["document"]


@pytest.fixture(scope="module")
def planned(stage, plan):
    """The inventory of the planned servers."""
    return stage.write("inventories/planned/site.yml", {"plugin": "frontier.vitro.site", "plan": str(plan)})


@pytest.fixture(scope="module")
def rendered(stage, site, plan):
    """What Kolla reads of it."""
    paths = {"plan": plan, "dest": stage.folder / "rendered/kolla", "venv": stage.folder / "venv-kolla"}
    given = [word for key, path in paths.items() for word in ("--extra-vars", f"kolla_topology_{key}={path}")]
    stage.play("frontier.vitro.render", "--inventory", str(site), *given)
    return paths["dest"]


def test_scenarios_of_what_works_on_hosts():
    assert {one for one in ON_HOSTS.values() if not (ROOT / "molecule" / one / "molecule.yml").is_file()} == set()


def play(tasks, **settings):
    return [{"name": "Examples", "hosts": "localhost", "gather_facts": False, "tasks": tasks, **settings}]


@pytest.mark.parametrize("path", [one for one in plugins(["modules"]) if one.stem not in ON_CLOUD | ON_HOSTS.keys()], ids=name)
@pytest.mark.usefixtures("rendered")
def test_module(path, stage):
    tasks = examples(path)[0]
    ports = {"frontier.vitro.bmc_info": {"port": stage.port}}
    shown = stage.play(stage.write(f"{path.stem}.yml", play(tasks, module_defaults=ports)))
    assert f"ok={len(tasks)} " in shown


def test_modules_that_need_hosts_or_a_cloud(stage):
    """Their scenarios and suites run them; here Ansible reads all of them at once."""
    tasks = [task for path in plugins(["modules"]) if path.stem in ON_CLOUD | ON_HOSTS.keys() for task in examples(path)[0]]
    assert len(tasks) >= len(ON_CLOUD | ON_HOSTS.keys()) - len(roles())
    stage.play(stage.write("on_hosts.yml", play(tasks)), "--syntax-check")


@pytest.mark.parametrize("path", plugins(["inventory"]), ids=name)
def test_inventory(path, stage, document, plan):
    for number, example in enumerate(examples(path)):
        ports = {"port": stage.port} if "targets" in example else {}
        config = stage.write(f"inventories/example{number}/{path.stem}.yml", {**example, **ports})
        for key, made in (("document", document), ("plan", plan)):
            if key in example:
                copy = (config.parent / example[key]).resolve()
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(made.read_text())
        listed = json.loads(stage.run("ansible-inventory", "--inventory", str(config), "--list"))
        assert len(listed["_meta"]["hostvars"]) == stage.servers


@pytest.mark.parametrize("path", plugins(["filter"]), ids=name)
def test_filter(path, stage, site, plan, planned):
    """The example of a filter is a list of variables; each must have a value."""
    variables = examples(path)[0]
    stage.write("sites/example/plan.json", plan.read_text())
    given = {"site_config": yaml.safe_load((site / "bmc.yml").read_text()), "vitro_plan": json.loads(plan.read_text())}
    tasks = [{"name": one, "ansible.builtin.assert": {"that": f"{one} is truthy"}} for one in variables]
    shown = stage.play(stage.write(f"{path.stem}.yml", play(tasks, vars=given | variables)), "--inventory", str(planned))
    assert f"ok={len(tasks)} " in shown


@pytest.mark.parametrize("role", roles(), ids=name)
def test_role(role, stage, site, document, plan, planned):
    stage.write("sites/example/hardware.json", document.read_text())
    (stage.folder / "sites/example/plan.json").write_text(plan.read_text())
    playbook = re.search(r"```yaml\n(.*?)```", (role / "README.md").read_text(), re.DOTALL)[1]
    form = ["--inventory", str(planned), "--syntax-check"] if role.name in ON_HOSTS else []
    stage.play(stage.write(f"{role.name}.yml", playbook), "--inventory", str(site), *form)


def test_example_site(stage):
    """The folder to copy: what is discovered and planned is what the inventory shows."""
    shutil.copytree(ROOT / "inventories/example", stage.folder / "copy/inventories/example")
    config = (ROOT / "inventories/example/bmc.yml").read_text() + f"port: {stage.port}\nca_path: {stage.folder / 'ca.pem'}\n"
    site = stage.write("copy/inventories/example/bmc.yml", config).parent
    stage.play("frontier.vitro.discover", "--inventory", str(site))
    stage.play("frontier.vitro.plan", "--inventory", str(site))
    listed = json.loads(stage.run("ansible-inventory", "--inventory", str(site), "--list"))
    assert len(listed["bmc"]["hosts"]) == len(listed["site"]["hosts"]) == stage.servers
