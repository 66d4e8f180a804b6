import { connect } from "node:net";

/** The protocol's SSLRequest: its length and its code. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Asks a PostgreSQL server whether it offers TLS: `S` or `N`, in a response of one byte that comes before
 * authentication, even during recovery. Undefined when no response comes within `timeoutMs`.
 */
export function askForTls({ host, port, timeoutMs }: { host: string; port: number; timeoutMs: number }) {
  return new Promise<"S" | "N" | undefined>((resolve) => {
    const socket = connect({ port, host });
    const timer = setTimeout(() => settle(undefined), timeoutMs);
    function settle(response: "S" | "N" | undefined): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(response);
    }
    socket.on("connect", () => socket.write(sslRequest));
    socket.on("data", (response) => settle(response[0] === "S".charCodeAt(0) ? "S" : "N"));
    socket.on("error", () => settle(undefined));
    socket.on("close", () => settle(undefined));
  });
}
