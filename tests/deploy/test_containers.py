"""Containers: image, compose file and Kubernetes manifests keep to what the program knows, and are confined."""

import re
import shlex

import pytest
import yaml

from opilio.server.urls import urlpatterns
from tests.deploy.promises import DEPLOY, NODE_PATHS, PAGES_PATHS, checked_settings, parsed_command

KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
_OURS = {name: service for name, service in COMPOSE["services"].items() if name != "database"}


def documents():
    return [document for path in KUBERNETES for document in yaml.safe_load_all(path.read_text()) if document]


def workloads():
    return [one for one in documents() if one["kind"] in ("Deployment", "StatefulSet", "Job")]


def _name(one):
    return one["metadata"]["name"]


def _containers(workload):
    return workload["spec"]["template"]["spec"]["containers"]


def test_the_paths_of_probes_are_answered():
    """What this module takes for the paths of servers is in their table."""
    assert {f"/{route.pattern}" for route in urlpatterns} >= PAGES_PATHS


# The image


def test_the_image_is_not_root_and_installs_what_is_locked():
    """Another user than root, digests required, nothing fetched at build that the lock does not name."""
    text = (DEPLOY / "Containerfile").read_text()
    last = text.split("\nFROM ")[-1]
    assert re.search(r"^USER 10001:10001$", last, re.M)
    assert "--require-hashes" in text
    assert all("--no-index" in line for line in re.findall(r"pip (?:install|wheel)[^\\&]*", text))
    assert not re.search(r"^ADD |curl |wget |sudo ", text, re.M)
    assert 'ENTRYPOINT ["opilio"]' in last
    parsed_command(yaml.safe_load(re.search(r"^CMD (.+)$", last, re.M)[1]))
    for path in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.M):
        assert all((DEPLOY.parent / name).exists() for name in path.split()), path


def test_the_environment_of_the_image_is_made_of_settings(tmp_path):
    """Names and values that the program takes."""
    line = re.search(r"^ENV (.+)$", (DEPLOY / "Containerfile").read_text(), re.M)[1]
    checked_settings(dict(part.split("=", 1) for part in shlex.split(line)), tmp_path)


# Compose


@pytest.mark.parametrize("name", sorted(_OURS))
def test_a_service_of_compose_is_confined_and_its_command_exists(name, tmp_path):
    """Read-only root, no capabilities, not root, limits, real settings."""
    service = _OURS[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["user"] == "10001:10001"
    assert {"cpus", "memory", "pids"} <= set(service["deploy"]["resources"]["limits"])
    checked_settings(service["environment"], tmp_path)
    parsed_command(service["command"])


def test_the_health_of_compose_asks_a_path_that_is_answered():
    """Under a name that the pages answer to; nothing is open to other machines."""
    serve = _OURS["serve"]
    test = serve["healthcheck"]["test"][-1]
    assert re.search(r"http://127\.0\.0\.1:8000(/[\w/]+)", test)[1] in PAGES_PATHS
    assert serve["environment"]["OPILIO_SERVER_ALLOWED_HOSTS"] in test
    assert all(port.startswith("127.0.0.1:") for port in serve["ports"])
    compile(test, "healthcheck", "exec")


def test_no_password_stands_in_the_compose_file():
    """They come from files."""
    text = (DEPLOY / "compose.yaml").read_text()
    assert not re.search(r"://[^/\s:]+:[^@\s]+@", text)
    assert set(COMPOSE["secrets"]) == {"password", "pgpass"}


# Kubernetes


def test_every_manifest_is_applied():
    """The kustomization names each file, and each file is there."""
    listed = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())["resources"]
    assert sorted(listed) == sorted(path.name for path in KUBERNETES if path.name != "kustomization.yaml")


@pytest.mark.parametrize("workload", workloads(), ids=_name)
def test_a_pod_is_confined(workload):
    """As the profile `restricted` of Kubernetes wants it, with a read-only root and limits."""
    pod = workload["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == 10001
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    for container in pod["containers"]:
        own = container["securityContext"]
        assert own["readOnlyRootFilesystem"] is True
        assert own["allowPrivilegeEscalation"] is False
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert {"cpu", "memory"} <= set(container["resources"]["limits"])
        assert {"cpu", "memory"} <= set(container["resources"]["requests"])
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        claimed = {claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])}
        assert mounted == {volume["name"] for volume in pod["volumes"]} | claimed


@pytest.mark.parametrize("workload", workloads(), ids=_name)
def test_a_pod_runs_a_command_with_settings_that_exist(workload, tmp_path):
    """Arguments as the program takes them; variables that are settings; probes on paths that are answered."""
    shared = next(one for one in documents() if one["kind"] == "ConfigMap")["data"]
    for container in _containers(workload):
        parsed_command(container["args"])
        own = {
            one["name"]: one["value"] if "value" in one else _example(one["name"]) for one in container.get("env", [])
        }
        checked_settings(own | (shared if "envFrom" in container else {}), tmp_path)
        answered = NODE_PATHS if container["args"][0] == "node" else PAGES_PATHS
        for name in ("startupProbe", "livenessProbe", "readinessProbe"):
            if name in container:
                assert container[name]["httpGet"]["path"] in answered


def _example(name):
    return {"OPILIO_DATABASE_URL": "postgresql://opilio@db/opilio", "OPILIO_AGENT_NAME": "agent-0"}[name]


def test_labels_ports_and_services_fit_together():
    """Selectors find pods, ports of services are ports of those pods, the ingress has a wildcard for replay."""
    pods = {tuple(sorted(one["spec"]["template"]["metadata"]["labels"].items())): one for one in workloads()}
    for one in documents():
        if one["kind"] == "Service":
            pod = pods[tuple(sorted(one["spec"]["selector"].items()))]
            names = {port["name"] for container in _containers(pod) for port in container.get("ports", [])}
            assert {port["targetPort"] for port in one["spec"]["ports"]} <= names
        elif one["kind"] in ("NetworkPolicy", "PodDisruptionBudget"):
            selector = one["spec"].get("podSelector") or one["spec"]["selector"]
            assert tuple(sorted(selector["matchLabels"].items())) in pods
    shared = next(one for one in documents() if one["kind"] == "ConfigMap")["data"]
    ingress = next(one for one in documents() if one["kind"] == "Ingress")
    hosts = {rule["host"] for rule in ingress["spec"]["rules"]}
    assert hosts == {
        shared["OPILIO_SERVER_ALLOWED_HOSTS"], shared["OPILIO_REPLAY_HOST"], f"*.{shared['OPILIO_REPLAY_HOST']}"
    }  # fmt: skip
    assert hosts == {host for tls in ingress["spec"]["tls"] for host in tls["hosts"]}


def test_no_secret_stands_in_the_manifests():
    """Secrets are named, never written."""
    assert not [one for one in documents() if one["kind"] == "Secret"]
