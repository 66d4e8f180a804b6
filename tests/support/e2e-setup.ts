import { rmSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join } from "node:path";
import { startEmbeddedDatabase } from "#db/embedded.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { disableDurability, serverUrl } from "./database/database-copies.ts";
import { parseExposition } from "./exposition.ts";
import { startIdentityProvider } from "./fakes/fake-identity-provider.ts";
import { makeContacts, startKlaviyo } from "./fakes/fake-integrations.ts";
import { startShopify } from "./fakes/fake-stores.ts";
import { makeFastFolder } from "./fast-folder.ts";
import { startAppServer } from "./servers/app-server.ts";

const metricsToken = "m".repeat(32);

/**
 * Starts one server for all browser tests, with the demo data and without rate limits, because the tests sign in often.
 * A fake Klaviyo and a fake Shopify store run beside it; their keys are `pk_good` and `shpat_good`. The people of
 * acme.example have an identity provider of their own, and those of absent.example one that does not respond.
 */
export default async function startServer() {
  const klaviyo = await startKlaviyo({
    key: "pk_good",
    lists: {
      "lists/NEWS": { name: "Newsletter", contacts: makeContacts("reader", 1_250) },
      "segments/VIP": { name: "Best customers", contacts: makeContacts("best", 40) },
    },
  });
  const shop = await startShopify({
    token: "shpat_good",
    variants: [
      { title: "Storm Lamp", handle: "storm-lamp", sku: "STORM-0", category: "Lamps", quantity: 4 },
      { title: "Storm Stove", handle: "storm-stove", sku: "STORM-1", category: "Stoves" },
      { title: "Storm Hat", handle: "storm-hat", sku: "STORM-2" },
    ],
  });
  const acme = await startIdentityProvider("acme.example");
  const provider = { clientId: "endcap", clientSecret: "secret" };
  const dataDir = makeFastFolder("endcap-browser-");
  const lowerPriority = raisePriority();
  const cluster = await startEmbeddedDatabase({ dataDir });
  await disableDurability(cluster.url);
  await migrateDatabase({ ownerUrl: cluster.url, serverUrl: serverUrl(cluster.url), makesRole: true });
  const server = await startAppServer({
    databaseUrl: cluster.url,
    environment: {
      DEMO_DATA: "on",
      RATE_LIMITS: "off",
      METRICS_TOKEN: metricsToken,
      LOG_LEVEL: "warn",
      ALLOW_PRIVATE_OUTBOUND: "1",
      ALLOW_STANDIN_SIGNIN: "1",
      OIDC_PROVIDERS: JSON.stringify([
        { ...provider, id: "acme", name: "Acme", issuer: acme.issuer, domains: ["acme.example"] },
        { ...provider, id: "absent", name: "Absent", issuer: "http://127.0.0.1:9", domains: ["absent.example"] },
      ]),
      KLAVIYO_URL: klaviyo.origin,
    },
  });
  lowerPriority();
  process.env.E2E_ORIGIN = server.origin;
  process.env.E2E_SHOP = shop.origin;
  process.env.E2E_DATABASE = cluster.url;
  process.env.E2E_LOOKS = join(dataDir, "measured-looks");
  return async () => {
    await reportShedRequests(server.origin);
    await server.stop();
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
    await klaviyo.stop();
    await shop.stop();
    await acme.stop();
  };
}

/**
 * Gives the processes that are started next the priority that Chromium's own have, where this process may: as root
 * Chromium raises it, and a server with the usual one got no processor time for seconds, so that its pages were 503.
 * Returns a function that ends this.
 */
function raisePriority(): () => void {
  const usual = getPriority();
  try {
    setPriority(-8);
  } catch {
    return () => undefined;
  }
  return () => setPriority(usual);
}

/**
 * Prints how many requests the server rejected because of overload, if any: the message about it stands where a test
 * expects another page, so this is the likely reason for a test that passes when repeated.
 */
async function reportShedRequests(origin: string): Promise<void> {
  const response = await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  const samples = [...parseExposition(await response.text())].filter(
    ([name, count]) => name.startsWith("endcap_http_requests_shed_total") && count > 0,
  );
  for (const [name, count] of samples)
    console.warn(`The server rejected requests because of overload: ${name} ${count}`);
}
