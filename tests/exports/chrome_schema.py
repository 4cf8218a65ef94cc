"""The Trace Event Format (object form) as a JSON schema, as far as mpiprof uses it. From its public description,
https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU"""

TIME = {"type": "number", "minimum": 0}
IDENTITY = {"pid": {"type": "integer"}, "tid": {"type": "integer"}, "name": {"type": "string"}, "ts": TIME, "args": {"type": "object"}}


def event(phase, required, **properties):
    return {"type": "object", "required": ["ph", "name", "pid", *required],
            "properties": {**IDENTITY, "ph": {"const": phase}, **properties}}


CATEGORY = {"cat": {"type": "string", "minLength": 1}}
METADATA = {"name": {"enum": ["process_name", "process_sort_index", "thread_name", "thread_sort_index"]}}
EVENTS = [
    event("X", ["tid", "ts", "dur", "cat"], dur=TIME, **CATEGORY),
    event("s", ["tid", "ts", "cat", "id"], id={"type": "integer"}, **CATEGORY),
    event("f", ["tid", "ts", "cat", "id", "bp"], id={"type": "integer"}, bp={"const": "e"}, **CATEGORY),
    event("i", ["tid", "ts", "s"], s={"enum": ["t", "p", "g"]}),
    event("C", ["ts", "args"], args={"type": "object", "minProperties": 1, "additionalProperties": {"type": "number"}}),
    event("M", ["args"], **METADATA),
]
SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["traceEvents"],
    "properties": {
        "traceEvents": {"type": "array", "items": {"oneOf": EVENTS}},
        "displayTimeUnit": {"enum": ["ms", "ns"]},
        "otherData": {"type": "object"},
    },
    "additionalProperties": False,
}
