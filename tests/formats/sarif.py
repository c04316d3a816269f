"""What SARIF 2.1.0 asks of the parts that heddle writes: required members, kinds of values, indices, URIs.

check(log) returns a list of problems. If the environment variable SARIF_SCHEMA names the schema of OASIS, and Python has
jsonschema, that is asked too.
"""

import json
import os
import re

URI = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$")
LEVELS = {"none", "note", "warning", "error"}


class Checker:
    def __init__(self):
        self.problems = []

    def need(self, condition, where, what):
        if not condition:
            self.problems.append(f"{where}: {what}")
        return condition

    def has(self, value, where, name, kind):
        """The member, if it is there and of this kind."""
        if not self.need(isinstance(value, dict) and name in value, where, f"no {name}"):
            return None
        member = value[name]
        right = isinstance(member, kind) and not (kind is int and isinstance(member, bool))
        return member if self.need(right, where, f"{name} is no {kind.__name__}") else None

    def text(self, value, where):
        text = self.has(value, where, "text", str)
        self.need(text is None or text.strip(), where, "empty text")

    def optional_message(self, value, where):
        if "message" in value:
            self.text(value["message"], where + ".message")

    def uri(self, value, where):
        uri = self.has(value, where, "uri", str)
        self.need(uri is None or URI.match(uri), where, f"{uri} is no URI")
        return uri

    def log(self, log):
        self.need(log.get("version") == "2.1.0", "log", "version is not 2.1.0")
        self.need("sarif-schema-2.1.0" in log.get("$schema", ""), "log", "no $schema")
        runs = self.has(log, "log", "runs", list) or []
        self.need(len(runs) == 1, "log", f"{len(runs)} runs")
        for run in runs:
            self.run(run)

    def run(self, run):
        driver = self.has(self.has(run, "run", "tool", dict), "tool", "driver", dict)
        self.need(self.has(driver, "driver", "name", str) == "heddle", "driver", "another name")
        self.has(driver, "driver", "version", str)
        self.rules = self.has(driver, "driver", "rules", list) or []
        ids = [self.has(rule, f"rule {i}", "id", str) for i, rule in enumerate(self.rules)]
        self.need(len(set(ids)) == len(ids), "rules", "an id twice")
        for rule in self.rules:
            self.text(rule.get("shortDescription"), f"rule {rule.get('id')}")
            self.need(rule.get("defaultConfiguration", {}).get("level") in LEVELS, f"rule {rule.get('id')}", "level")
        self.need(run.get("columnKind") in ("utf16CodeUnits", "unicodeCodePoints"), "run", "columnKind")
        self.bases = run.get("originalUriBaseIds", {})
        for name, base in self.bases.items():
            uri = self.uri(base, f"base {name}") or ""
            self.need(uri.startswith("file:///") and uri.endswith("/"), f"base {name}", uri)
        self.artifacts = run.get("artifacts", [])
        uris = [artifact.get("location", {}).get("uri") for artifact in self.artifacts]
        self.need(len(set(uris)) == len(uris), "artifacts", f"one twice: {uris}")
        for i, artifact in enumerate(self.artifacts):
            self.artifact_location(artifact.get("location"), f"artifact {i}", None)
        for invocation in self.has(run, "run", "invocations", list) or []:
            self.invocation(invocation)
        for i, result in enumerate(self.has(run, "run", "results", list) or []):
            self.result(result, f"result {i}")

    def artifact_location(self, value, where, artifacts):
        uri = self.uri(value, where)
        base = (value or {}).get("uriBaseId")
        self.need(base is None or base in self.bases, where, f"unknown base {base}")
        self.need(base is None or not (uri or "").startswith("/"), where, "an absolute path with a base")
        if artifacts is not None:
            index = self.has(value, where, "index", int)
            if self.need(index is not None and 0 <= index < len(artifacts), where, f"no artifact {index}"):
                self.need(artifacts[index]["location"]["uri"] == uri, where, "the artifact has another uri")

    def invocation(self, invocation):
        good = self.has(invocation, "invocation", "executionSuccessful", bool)
        status = self.has(invocation, "invocation", "exitCode", int)
        self.need(good == (status in (0, 1)), "invocation", f"exitCode {status}, executionSuccessful {good}")
        notifications = invocation.get("toolExecutionNotifications", [])
        self.need(good or any(n.get("level") == "error" for n in notifications), "invocation", "no notification")
        for n in notifications:
            self.text(n.get("message"), "notification")
            self.need(n.get("level") in LEVELS, "notification", "level")
            self.has(n.get("descriptor"), "notification", "id", str)

    def location(self, value, where):
        if not self.need(isinstance(value, dict), where, "no location"):
            return
        self.optional_message(value, where)
        if "physicalLocation" not in value:
            return
        place = value["physicalLocation"]
        self.artifact_location(place.get("artifactLocation"), where, self.artifacts)
        region = self.has(place, where, "region", dict) or {}
        self.need((self.has(region, where, "startLine", int) or 0) >= 1, where, "startLine")
        self.need(region.get("startColumn", 1) >= 1, where, "startColumn")
        for logical in value.get("logicalLocations", []):
            self.has(logical, where, "name", str)

    def result(self, result, where):
        self.text(result.get("message"), where)
        self.need(result.get("level") in LEVELS, where, "level")
        index = self.has(result, where, "ruleIndex", int)
        if self.need(index is not None and 0 <= index < len(self.rules), where, f"no rule {index}"):
            self.need(self.rules[index]["id"] == result.get("ruleId"), where, "ruleId is of another rule")
        for location in self.has(result, where, "locations", list) or []:
            self.location(location, where)
        related = result.get("relatedLocations", [])
        for location in related:
            self.location(location, where + " related")
        numbers = [location.get("id") for location in related]
        self.need(len(set(numbers)) == len(numbers), where, "ids of related locations")
        for flow in result.get("codeFlows", []):
            self.code_flow(flow, where + " flow")

    def code_flow(self, flow, where):
        threads = self.has(flow, where, "threadFlows", list) or []
        self.need(threads, where, "no thread flow")
        names, all_orders = [t.get("id") for t in threads], []
        self.need(len(set(names)) == len(names), where, "two threads of one name")
        for thread in threads:
            self.optional_message(thread, where)
            locations = self.has(thread, where, "locations", list) or []
            self.need(locations, where, "a thread flow without locations")
            orders = [self.has(at, where, "executionOrder", int) or 0 for at in locations]
            self.need(orders == sorted(orders) and all(n >= 1 for n in orders), where, f"order {orders}")
            all_orders += orders
            for at in locations:
                self.location(at.get("location"), where)
                self.need(at.get("importance") in ("important", "essential", "unimportant"), where, "importance")
                for name, state in at.get("state", {}).items():
                    self.text(state, f"{where} state of {name}")
        self.need(sorted(all_orders) == list(range(1, len(all_orders) + 1)), where, "steps are missing or there twice")


def by_schema(log):
    path = os.environ.get("SARIF_SCHEMA")
    if not path:
        return []
    try:
        import jsonschema
    except ImportError:
        return []
    with open(path) as f:
        schema = json.load(f)
    validator = jsonschema.validators.validator_for(schema)(schema)
    return [f"{'/'.join(map(str, e.path))}: {e.message}" for e in validator.iter_errors(log)]


def check(log):
    checker = Checker()
    checker.log(log)
    return checker.problems + by_schema(log)
