import { startAppServer } from "./app-server.ts";

/** One server for all browser tests, with the demo data, and without limits on sign-ins, of which they make many. */
export default async function startServer() {
  const server = await startAppServer({ environment: { RATE_LIMITS: "off", LOG_LEVEL: "warn" } });
  process.env.E2E_ORIGIN = server.origin;
  return async () => {
    await server.stop();
  };
}
