"""Answers which settings apply to an agent, from the rules in their plainest form. One JSON object per line in, one per line out.

in:  {"loader": "pyyaml" | "ruamel", "text": "...", "environment": {...}, "managed": "..." or null, "process": {...}}
out: {"outcome": "merged" | "empty" | "fallback" | "raises", "settings": {"<name>": "<repr>" or "fatal"},
      "window": tokens that a provider's entry states or null, "share": of compression.model_thresholds or null}
First line out: as askPython.py.

`environment` is what the user's file expands against, `process` what the managed file does.
"""

import copy
import json
import re
import sys
from urllib.parse import urlsplit

import askPython

# name, parser, arguments, default of v2026.8.16.2, default of September 2026
TABLE = [
    ("tools.tool_result_persist_threshold_chars", "persist", (), None, None),
    ("tool_budget.mcp_result_size_chars", "int", (1, True), 50000, 50000),
    ("tool_output.mcp_result_size_chars", "int", (1, False), 50000, 50000),
    ("tool_output.tool_overrides", "overrides", (), {}, {}),
    ("tool_output.max_bytes", "int", (1, True), 50000, 50000),
    ("tool_output.max_lines", "int", (1, True), 2000, 2000),
    ("tool_output.max_line_length", "int", (1, True), 2000, 2000),
    ("hooks.output_spill.max_chars", "int", (1, True), 10000, 10000),
    ("hooks.output_spill.preview_head", "int", (0, True), 500, 500),
    ("file_read_max_chars", "number", (), 100000, 100000),
    ("model.context_length", "window", (), None, None),
    ("model.max_tokens", "int", (1, False), None, None),
    ("auxiliary.compression.context_length", "int", (1, True), None, None),
    ("compression.enabled", "word", (), True, True),
    ("compression.threshold", "float", (None, None, "older"), 0.5, 0.5),
    ("compression.threshold_tokens", "int", (1, True), None, None),
    ("compression.model_thresholds", "shares", (), {}, {}),
    ("compression.target_ratio", "float", (0.1, 0.8, "both"), 0.2, 0.2),
    ("compression.tail_mode", "choice", ("lean", "legacy"), "legacy", "lean"),
    ("compression.protect_last_n", "bare", (None,), 20, 20),
    ("compression.protect_first_n", "bare", (0,), 3, 3),
    ("compression.min_tail_user_messages", "whole", (1, None, "min"), 1, 1),
    ("compression.max_attempts", "whole", (1, 10, "default"), 3, 3),
    ("compression.proactive_prune_tokens", "whole", (0, None, "min"), 0, 0),
    ("compression.proactive_prune_min_reclaim_tokens", "whole", (0, None, "min"), 4096, 4096),
    ("compression.tool_result_prune.enabled", "truth", (), False, False),
    ("compression.tool_result_prune.threshold_chars", "whole", (1, None, "default"), 8192, 8192),
    ("compression.tool_result_prune.head_chars", "whole", (0, None, "default"), 4096, 4096),
    ("compression.tool_result_prune.tail_chars", "whole", (0, None, "default"), 1024, 1024),
    ("compression.micro_compact", "switch", (), False, False),
    ("compression.micro_compact_every_n_turns", "whole", (1, None, "min"), 1, 1),
    ("compression.in_place", "switch", (), True, True),
    ("compression.idle_compact_after_seconds", "bare", (0,), 0, 0),
    ("compression.codex_app_server_auto", "choice", ("native", "hermes", "off"), "native", "native"),
    ("compression.codex_responses_compact_threshold", "int", (1, False), 200000, None),
]

# Keys that DEFAULT_CONFIG does not hold.
ABSENT = re.compile(
    r"tools\.|tool_budget\.|tool_output\.(mcp|tool_o)|hooks\.|model\.|auxiliary\.compression\.c|compression\.tool_result_prune\."
)


class Fatal(Exception):
    pass


def to_int(value):
    """int(value) of the kinds of values that YAML makes; None where that raises."""
    if not isinstance(value, (bool, int, float, str)):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None


def persist(value, default):
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value > 0 else default
    if isinstance(value, str) and re.match(r"^[+-]?\d+$", value.strip()):
        number = to_int(value)
        return number if number is not None and number > 0 else default
    return default


def parse_int(value, default, least, bool_counts):
    if isinstance(value, bool) and not bool_counts:
        return default
    number = to_int(value)
    return default if number is None or number < least else number


def bare(value, default, least):
    number = to_int(value)
    if number is None:
        raise Fatal
    return number if least is None else max(least, number)


def whole(value, default, least, most, below):
    if value is None or isinstance(value, bool):
        return default
    if isinstance(value, float) and not value.is_integer():
        return default
    number = to_int(value)
    if number is None:
        return default
    if number < least:
        return least if below == "min" else default
    return number if most is None else min(most, number)


def number(value, default):
    if not isinstance(value, (int, float)) or not value > 0:
        return default
    size = to_int(value)
    return size if size else default


def parse_float(value, default, least, most, raises, loader):
    try:
        found = float(value)
    except (TypeError, ValueError):
        if raises == "both" or loader == "pyyaml":
            raise Fatal from None
        return default
    if least is not None and found < least:
        return least
    return most if most is not None and found > most else found


def word(value, default):
    return str(value).lower() in {"true", "1", "yes"}


def switch(value, default):
    if value is None:
        return default
    return value.strip().lower() in {"1", "true", "yes", "on"} if isinstance(value, str) else bool(value)


def choice(value, default, *words):
    text = value.strip().lower() if isinstance(value, str) else None
    return text if text in words else default


def window(value, default):
    size = to_int(value)
    if size is None or size <= 0:
        return default
    if size < 64000:
        raise Fatal
    return size


def shares(value, default):
    pairs = value.items() if isinstance(value, dict) else ()
    return {k: float(v) for k, v in pairs if isinstance(v, (int, float)) and not isinstance(v, bool)}


def overrides(value, default):
    found = {}
    for name, size in value.items() if isinstance(value, dict) else ():
        if isinstance(name, str) and name.strip() and not isinstance(size, bool) and (to_int(size) or 0) > 0:
            found[name] = to_int(size)
    return found


PARSERS = {
    "persist": persist,
    "int": parse_int,
    "bare": bare,
    "whole": whole,
    "number": number,
    "word": word,
    "switch": switch,
    "truth": lambda value, default: bool(value),
    "choice": choice,
    "window": window,
    "shares": shares,
    "overrides": overrides,
}


def defaults(loader):
    config = {"model": "", "tools": {}, "agent": {}, "auxiliary": {}, "sessions": {}, "context": {}}
    for name, _, _, older, newer in TABLE:
        if ABSENT.match(name):
            continue
        *sections, key = name.split(".")
        place = config
        for section in sections:
            place = place.setdefault(section, {})
        place[key] = copy.deepcopy(older if loader == "pyyaml" else newer)
    return config


def merge(base, over):
    for key, value in over.items():
        before = base.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            merge(before, value)
        elif not (isinstance(before, dict) and value is None):
            base[key] = copy.deepcopy(value)


def expand(value, environment):
    if isinstance(value, dict):
        return {k: expand(v, environment) for k, v in value.items()}
    if isinstance(value, list):
        return [expand(v, environment) for v in value]
    if not isinstance(value, str):
        return value

    def replace(match):
        name = match.group(1).strip()
        if name.startswith("env:"):
            name = name[4:].strip()
        elif re.match(r"[a-z][a-z0-9_-]*:", name):
            return match.group(0)
        return environment.get(name, match.group(0))

    return re.sub(r"\$\{([^}]+)\}", replace, value)


def canonical_model(config):
    model = config.get("model")
    moved = [key for key in ("provider", "base_url", "context_length") if config.get(key)]
    if not isinstance(model, dict):
        if not moved:
            return
        model = {"default": model} if model else {}
    for key in moved:
        if not model.get(key):
            model[key] = config[key]
    config["model"] = model


def load_config(question):
    config = defaults(question["loader"])
    try:
        user = askPython.load(question["loader"], question["text"])
    except Exception:
        outcome, user = "fallback", {}
    else:
        outcome = "empty" if not user else "merged" if isinstance(user, dict) else "fallback"
        if outcome != "merged":
            user = {}
    merge(config, user)
    canonical_model(config)
    config = expand(config, question["environment"])
    if question["managed"] is not None:
        try:
            managed = askPython.load(question["loader"], question["managed"])
        except Exception:
            managed = None
        if isinstance(managed, dict):
            merge(config, expand(managed, question["process"]))
    return outcome, config


def setting(config, loader, name, parser, arguments, older, newer):
    default = older if loader == "pyyaml" else newer
    value = config
    for key in name.split("."):
        if not isinstance(value, dict) or key not in value:
            return repr(default)
        value = value[key]
    try:
        if parser == "float":
            return repr(parse_float(value, default, *arguments, loader))
        return askPython.canonical(PARSERS[parser](value, default, *arguments))
    except Fatal:
        return "fatal"


def text_of(value):
    return value.strip() if isinstance(value, str) else ""


def route(url):
    """Scheme and host in lower case, no usual port, no slash at the end."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    port = "" if parts.port in (None, usual) else f":{parts.port}"
    path = parts.path[:-1] if parts.path.endswith("/") else parts.path
    return f"{parts.scheme}://{host}{port}{path}?{parts.query}"


def entry(value, key=""):
    if not isinstance(value, dict):
        return None
    url = next((text_of(value.get(k)) for k in ("api", "url", "base_url") if text_of(value.get(k))), "")
    name = text_of(value.get("name")) or key
    return {"key": key, "name": name, "url": url, "models": value.get("models")} if url and name else None


def enabled(value):
    flag = value.get("enabled", True) if isinstance(value, dict) else True
    return flag.strip().lower() not in {"false", "0", "no", "off"} if isinstance(flag, str) else bool(flag)


def entries(config):
    listed = config.get("custom_providers")
    if listed is not None and not isinstance(listed, list):
        return []
    found = [entry(one) for one in listed or []]
    keyed = config.get("providers")
    for key, one in keyed.items() if isinstance(keyed, dict) else ():
        if enabled(one):
            found.append(entry(one, text_of(key)))
    return [one for one in found if one]


def slug(name):
    return name.strip().lower().replace(" ", "-")


def provider_window(config):
    model = config.get("model")
    name = text_of(model.get("default") if isinstance(model, dict) else model)
    known = entries(config)
    url = text_of(model.get("base_url")) if isinstance(model, dict) else ""
    if not url and isinstance(model, dict):
        wanted = slug(text_of(model.get("provider")))
        wanted = wanted[7:] if wanted.startswith("custom:") else wanted
        if wanted and wanted != "auto":
            url = next((one["url"] for one in known if wanted in (slug(one["key"]), slug(one["name"]))), "")
    if not name or not url:
        return None
    for one in known:
        models = one["models"]
        stated = models.get(name) if isinstance(models, dict) else None
        if route(one["url"]) != route(url) or not isinstance(stated, dict):
            continue
        size = to_int(stated.get("context_length"))
        if size is not None and size > 0:
            return size
    return None


def model_share(config, loader):
    compression = config.get("compression")
    model = config.get("model")
    name = model.get("default") if isinstance(model, dict) else model
    if not isinstance(compression, dict) or not isinstance(name, str) or not name:
        return None
    table = {str(k): v for k, v in shares(compression.get("model_thresholds"), {}).items()}
    if loader == "pyyaml":
        fitting = [key for key in table if key and key in name]
        return table[max(fitting, key=len)] if fitting else None
    provider = text_of(model.get("provider")).lower() if isinstance(model, dict) else ""
    ranked = []
    for key in table:
        scope, colon, part = key.partition(":")
        if not colon and key in name:
            ranked.append((len(key), 0, key))
        elif colon and scope.strip().lower() == provider and part in name:
            ranked.append((len(part), 1, key))
    return table[max(ranked)[2]] if ranked else None


def answer(question):
    try:
        outcome, config = load_config(question)
    except RecursionError:
        return {"outcome": "raises", "settings": {}, "window": None, "share": None}
    derived = {"window": provider_window(config), "share": model_share(config, question["loader"])}
    return {"outcome": outcome, **derived, "settings": {row[0]: setting(config, question["loader"], *row) for row in TABLE}}


if __name__ == "__main__":
    askPython.main.__globals__["answer"] = answer
    askPython.main()
