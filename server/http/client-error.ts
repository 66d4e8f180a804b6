import type { Duplex } from "node:stream";
import type { Env } from "#app/env.server.ts";
import { errorCode } from "#app/startup-error.ts";
import { securityHeaders } from "./security-headers.ts";

/** Responds to a malformed or too slow HTTP request and closes the connection. */
export function handleClientError(env: Env): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    if (!socket.writable || errorCode(error) === "ECONNRESET") return void socket.destroy();
    const headers = { ...securityHeaders({ nonce: "none", env }), Connection: "close", "Content-Length": "0" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${statusLine(errorCode(error))}\r\n${lines.join("")}\r\n`, () => socket.destroy());
  };
}

function statusLine(code: string | undefined): string {
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  return "400 Bad Request";
}
