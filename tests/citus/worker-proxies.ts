import { connect, createServer, type Server, type Socket } from "node:net";
import type { Sql } from "postgres";
import { z } from "zod";

/** TCP proxies between a coordinator and its workers, which can be lost at any moment. */
export type WorkerProxies = {
  /** Where the workers are. */
  places: { host: string; port: number }[];
  /** Breaks all connections and rejects new ones. */
  lose: () => void;
  /** Sends what a worker answers this much later. */
  delay: (milliseconds: number) => void;
  /** Lets answers pass, and loses the workers with the next bytes that the coordinator sends. */
  loseAtNextRequest: () => void;
  /** Accepts everything and passes nothing on, as workers do whose processes are stopped; `restore` passes it on. */
  hang: () => void;
  restore: () => void;
  close: () => Promise<void>;
};

const nodeRow = z.object({ id: z.number(), host: z.string(), port: z.number() });

/** Puts proxies between the workers of a database and its coordinator, to which `sql` is a superuser's connection. */
export async function startWorkerProxies(sql: Sql): Promise<WorkerProxies> {
  let state: "open" | "losing" | "lost" | "hanging" = "open";
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  /** What passes once the workers respond again. */
  let waiting: (() => void)[] = [];
  const pass = (run: () => void) => (state === "hanging" ? waiting.push(run) : run());

  function lose() {
    state = "lost";
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }

  function serve(near: Socket, worker: { host: string; port: number }) {
    if (state === "hanging") return waiting.push(() => !near.destroyed && serve(near, worker));
    if (state !== "open") return near.destroy();
    const far = connect(worker.port, worker.host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        pass(() => other.destroy());
      });
    }
    near.on("data", (bytes) => (state === "losing" ? lose() : pass(() => far.write(bytes))));
    far.on("data", (bytes) => {
      const answer = () => near.write(bytes);
      pass(() => (delayMs > 0 ? setTimeout(answer, delayMs) : answer()));
    });
    return undefined;
  }

  const nodes = z
    .array(nodeRow)
    .parse(await sql`select nodeid as id, nodename as host, nodeport as port from pg_dist_node where groupid > 0`);
  for (const { id, ...worker } of nodes) {
    const server = createServer((near) => serve(near, worker));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    if (typeof address !== "object" || !address) throw new Error("no port");
    servers.push(server);
    await sql`select citus_update_node(${id}, '127.0.0.1', ${address.port})`;
  }
  // Citus tells the workers within a minute by itself, and changes no table until then.
  await sql`select start_metadata_sync_to_all_nodes()`;
  return {
    places: nodes.map(({ host, port }) => ({ host, port })),
    lose,
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    loseAtNextRequest() {
      state = "losing";
    },
    hang() {
      state = "hanging";
    },
    restore() {
      [state, delayMs] = ["open", 0];
      const passing = waiting;
      waiting = [];
      for (const run of passing) run();
    },
    async close() {
      lose();
      for (const server of servers) await new Promise((done) => server.close(done));
    },
  };
}
