/**
 * Returns the URL of a database by TCP, on its own port or another of this machine, such as a proxy's: the test
 * cluster's own URL leads to a Unix socket.
 */
export function tcpUrl(databaseUrl: string, port: number | string = new URL(databaseUrl).port): string {
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return url.href;
}
