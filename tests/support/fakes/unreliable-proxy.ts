import { connect, createServer, type Server, type Socket } from "node:net";

export type UnreliableProxy = {
  port: number;
  /** Sets where new connections go. */
  target: (port: number) => void;
  /** Discards from now on everything that passes through the existing connections. */
  swallow: () => void;
  close: () => Promise<void>;
};

/** Starts a TCP proxy between the pool and PostgreSQL, for faults that a real server cannot produce on request. */
export async function startUnreliableProxy(): Promise<UnreliableProxy> {
  let target = 0;
  let open: Socket[] = [];
  const swallowed: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
    }
    open.push(near, far);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: portOf(server),
    target(port) {
      target = port;
    },
    swallow() {
      for (const socket of open) socket.unpipe().removeAllListeners("close").resume();
      swallowed.push(...open);
      open = [];
    },
    close() {
      // PostgreSQL would wait for a minute for a client that was still signing in, and hold up what drops its database.
      for (const socket of swallowed) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
