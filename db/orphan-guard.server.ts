import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programEnvironment, type RunAs } from "./postgres-binaries.server.ts";
import { hasProcess } from "./postmaster.server.ts";

type Guarded = {
  pgCtl: string;
  folder: string;
  /** The folder's path as PostgreSQL's own programs use it. */
  name: string;
  runAs: RunAs;
};

/** The file in a database's folder with the ID of the process that has it, which guards of processes before it read. */
const holderFile = "endcap.holder";

/** How long a guard waits for the end of the database before it kills it, in seconds. */
const stopSeconds = 8;

/**
 * Makes this process the one that has the database in `folder`: a guard of a process before it leaves the database
 * alone from now on. Waits for the end of one that is already stopping it, where the system reports it. Call it before
 * the database is started or adopted.
 */
export async function claimFromGuards(folder: string): Promise<void> {
  const path = join(folder, holderFile);
  rmSync(path, { force: true });
  // Never through a link: the folder may belong to another user than this process.
  writeFileSync(path, `${process.pid}\n`, { flag: "wx", mode: 0o644 });
  const limit = Date.now() + (stopSeconds + 2) * 1_000;
  while (hasProcess(folder, { argument: holderFile }) && Date.now() < limit) await sleep(20);
}

/**
 * Stops the PostgreSQL in `folder` when this process ends without doing so (`kill -9`): a shell waits for the end of a
 * pipe that only this process holds open. Call `claimFromGuards` before. Returns a function that ends the guard. A
 * killed guard is restarted.
 */
export function guardOrphan({ pgCtl, folder, name, runAs }: Guarded): () => void {
  let dismissed = false;
  let guard = begin();

  function begin() {
    const child = spawn("/bin/sh", ["-c", script, pgCtl, name, String(process.pid)], {
      ...runAs,
      cwd: folder,
      env: programEnvironment(),
      // In a session of its own, so that Ctrl-C and a closing terminal reach only this process.
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.unref();
    // The process may exit while the pipe is open; a missing shell leaves the database unguarded.
    if (child.stdin instanceof Socket) child.stdin.unref();
    child.stdin.on("error", () => undefined);
    child.on("error", () => undefined);
    child.on("exit", () => {
      if (!dismissed) setTimeout(again, 1_000).unref();
    });
    return child;
  }

  function again(): void {
    if (!dismissed) guard = begin();
  }

  return () => {
    dismissed = true;
    guard.kill("SIGKILL");
  };
}

/**
 * A stopped PostgreSQL is continued first, because it handles no other signal. `pg_ctl` takes a database that was
 * started while it waited for the one it stopped, so the holder is read again before the next signal.
 */
const script = `
  trap '' HUP INT TERM
  unclaimed() { read -r holder < "$1/${holderFile}" && [ "$holder" = "$2" ]; }
  read -r _
  unclaimed "$@" || exit 0
  read -r pid < "$1/postmaster.pid" && kill -CONT "$pid"
  "$0" stop -D "$1" -m fast -t ${stopSeconds} && exit 0
  unclaimed "$@" && "$0" stop -D "$1" -m immediate -t ${stopSeconds}
`;
