"""Python's csv and hashlib, a set for those seen before, and COPY into a keyed table."""

import csv
import hashlib
import re
import subprocess
import sys

url, path = sys.argv[1:]
plain = re.compile(r"^[^\s@]+@[^\s@]+\.[^\s@]+$")
seen = set()
with open(path, newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        address = row["Email"].strip().lower()
        if not plain.match(address):
            continue
        if address.endswith("@gmail.com"):
            address = address[:-10].split("+", 1)[0].replace(".", "") + "@gmail.com"
        seen.add(hashlib.sha256(address.encode()).digest())

table = "drop table if exists python_people; create table python_people (hash bytea not null)"
commands = [table, r"\copy python_people from stdin", "alter table python_people add primary key (hash)"]
psql = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
flags = [flag for command in commands + ["select count(*) from python_people"] for flag in ("-c", command)]
rows = "".join(f"\\\\x{digest.hex()}\n" for digest in seen)
ran = subprocess.run([*psql, *flags, url], input=rows, text=True, stdout=subprocess.PIPE, check=True)
print(ran.stdout.strip())
