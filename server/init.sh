#!/bin/sh
# Process 1 of a container without an init process of its own: `sh server/init.sh node --disable-proto=throw server/start.js`.
# It runs the command, stops it on SIGTERM and SIGINT, exits with its code, and reaps the orphans of the embedded
# PostgreSQL, which Node.js does not (docs/decisions/0053).
stopping= child=
stop() {
  stopping=1
  [ -z "$child" ] || kill -s TERM "$child" 2>/dev/null
}
trap stop TERM INT
"$@" &
child=$!
# For a signal that came before there was a child.
[ -z "$stopping" ] || stop
# `wait` reaps every process; a signal ends it before the command has ended.
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || exit "$code"
done
