"""Answers what the agent's YAML loaders make of a text. One JSON object per line in, one per line out.

in:  {"loader": "pyyaml" | "ruamel", "text": "..."}
out: {"value": "<canonical repr>"} or {"error": "<exception class>"}
First line out: {"pyyaml": version or null, "ruamel": version or null, "clib": bool}

The text is opened as a UTF-8 file (utf-8-sig, universal newlines). pyyaml = CSafeLoader. ruamel = the rule of Hermes'
hermes_yaml.py: typ safe, version 1.1, C parser first, pure parser on a YAML error, dot-less exponents without a sign stay text.
"""

import io
import json
import re
import sys
import warnings

# ruamel sets filters of its own, so that ignoring is not enough.
warnings.showwarning = lambda *_, **__: None

try:
    import yaml
except ImportError:
    yaml = None

try:
    from ruamel.yaml import YAML
    from ruamel.yaml import __version__ as ruamel_version
    from ruamel.yaml.constructor import SafeConstructor
    from ruamel.yaml.error import YAMLError as RuamelError
except ImportError:
    YAML = None

try:
    import _ruamel_yaml  # noqa: F401

    CLIB = True
except ImportError:
    CLIB = False

FLOAT = "tag:yaml.org,2002:float"
SESSION_ID = re.compile(r"^[-+]?[0-9][0-9_]*[eE][0-9]+$")

if YAML is not None:

    class TextKeeper(SafeConstructor):
        pass

    def number_or_text(constructor, node):
        if isinstance(node.value, str) and SESSION_ID.match(node.value):
            return node.value
        return SafeConstructor.construct_yaml_float(constructor, node)

    TextKeeper.add_constructor(FLOAT, number_or_text)


def canonical(value, above=()):
    if any(one is value for one in above) and isinstance(value, (list, dict, set)):
        return "[...]" if isinstance(value, list) else "..." if type(value).__name__ == "ordereddict" else "{...}"
    within = above + (value,)
    name = type(value).__name__
    if name == "ordereddict":
        return "ordereddict(%s)" % ("" if not value else canonical(list(value.items()), within))
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (canonical(k, within), canonical(v, within)) for k, v in value.items())
    if isinstance(value, list):
        return "[%s]" % ", ".join(canonical(v, within) for v in value)
    if isinstance(value, tuple):
        inner = ", ".join(canonical(v, within) for v in value)
        return "(%s,)" % inner if len(value) == 1 else "(%s)" % inner
    if isinstance(value, set):
        return "{%s}" % ", ".join(sorted(canonical(v, within) for v in value)) if value else "set()"
    try:
        return repr(value)
    except ValueError:
        return hex(value)


def load_ruamel(text, pure):
    loader = YAML(typ="safe", pure=pure)
    loader.version = (1, 1)
    loader.Constructor = TextKeeper
    return loader.load(text)


def load(loader, text):
    stream = io.TextIOWrapper(io.BytesIO(text.encode("utf-8")), encoding="utf-8-sig")
    if loader == "pyyaml":
        return yaml.load(stream, Loader=yaml.CSafeLoader)
    text = stream.read()
    try:
        return load_ruamel(text, False)
    except RuamelError:
        return load_ruamel(text, True)


def answer(question):
    try:
        value = load(question["loader"], question["text"])
    except Exception as error:
        return {"error": type(error).__name__}
    sys.setrecursionlimit(20000)
    try:
        return {"value": canonical(value)}
    finally:
        sys.setrecursionlimit(1000)


def main():
    has_c = yaml is not None and hasattr(yaml, "CSafeLoader")
    hello = {
        "pyyaml": yaml.__version__ if has_c else None,
        "ruamel": ruamel_version if YAML is not None else None,
        "clib": CLIB,
    }
    print(json.dumps(hello), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
