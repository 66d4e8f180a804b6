import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { programEnvironment, type RunAs } from "./postgres-programs.server.ts";

type Guarded = {
  pgCtl: string;
  folder: string;
  /** The folder's name as PostgreSQL's own programs have it. */
  name: string;
  runAs: RunAs;
};

/**
 * Stops the PostgreSQL of `folder` when this process ends without doing so (`kill -9`): a shell that waits for the end of a
 * pipe which only this process holds. Returns the end of it. Begun again when it was killed itself.
 */
export function guardOrphan({ pgCtl, folder, name, runAs }: Guarded): () => void {
  let dismissed = false;
  let guard = begin();

  function begin() {
    const child = spawn("/bin/sh", ["-c", script, pgCtl, name], {
      ...runAs,
      cwd: folder,
      env: programEnvironment(),
      // In a session of its own: Ctrl-C and the end of a terminal reach this process only.
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.unref();
    // The process may end while the pipe is open, and a missing shell leaves the database unguarded.
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

/** A stopped PostgreSQL is let run first, since it takes no other signal. */
const script = `
  trap '' HUP INT TERM
  read -r _
  read -r pid < "$1/postmaster.pid" && kill -CONT "$pid"
  "$0" stop -D "$1" -m fast -t 8 || "$0" stop -D "$1" -m immediate -t 8
`;
