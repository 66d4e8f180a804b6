import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Resolves when a program accepts connections on a port of this machine; rejects after 20 seconds. */
export async function awaitPort(port: number, program: string): Promise<void> {
  for (const until = Date.now() + 20_000; !(await accepts(port)); await sleep(20)) {
    if (Date.now() > until) throw new Error(`${program} does not accept connections`);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.on("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.on("error", () => done(false));
  });
}
