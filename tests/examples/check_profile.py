"""check_profile.py PROFILE RANKS OPERATION…: has the profile calls of each operation, and does it conserve bytes?"""

import json
import sys

path, ranks, *operations = sys.argv[1:]
with open(path) as file:
    profile = json.load(file)
rows = {row["operation"]: row["statistics"] for row in profile["operations"]}

problems = []
for operation in operations:
    if operation not in rows or rows[operation]["calls"] <= 0:
        problems.append(f"no calls of {operation}")
if profile["world_size"] != int(ranks):
    problems.append(f"world_size is {profile['world_size']}, not {ranks}")

point_to_point = [rows[name] for name in ("send", "isend", "recv", "irecv") if name in rows]
sent = sum(row["sent"] for row in point_to_point)
received = sum(row["received"] for row in point_to_point)
if sent != received or (int(ranks) > 1 and sent == 0):
    problems.append(f"{sent} bytes sent, {received} received")
if any(row["unknown"] or row["failed"] for row in rows.values()):
    problems.append("calls that failed, or of unknown size")

if problems:
    sys.exit(f"{path}: " + "; ".join(problems))
