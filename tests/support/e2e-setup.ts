import { startAppServer } from "./app-server.ts";
import { contactsNamed, startKlaviyo } from "./remote-programs.ts";

/**
 * One server for all browser tests, with the demo data, and without limits on sign-ins, of which they make many. Beside it
 * stands a Klaviyo of our own, whose key is `pk_good`.
 */
export default async function startServer() {
  const klaviyo = await startKlaviyo({
    key: "pk_good",
    lists: {
      "lists/NEWS": { name: "Newsletter", contacts: contactsNamed("reader", 1_250) },
      "segments/VIP": { name: "Best customers", contacts: contactsNamed("best", 40) },
    },
  });
  const server = await startAppServer({
    environment: { RATE_LIMITS: "off", LOG_LEVEL: "warn", ALLOW_PRIVATE_OUTBOUND: "1", KLAVIYO_URL: klaviyo.origin },
  });
  process.env.E2E_ORIGIN = server.origin;
  return async () => {
    await server.stop();
    await klaviyo.stop();
  };
}
