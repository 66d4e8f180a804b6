import { rmSync } from "node:fs";
import { startEmbeddedDatabase } from "#db/embedded.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";
import { startAppServer } from "./app-server.ts";
import { disableDurability, serverUrl } from "./database-copies.ts";
import { makeFastFolder } from "./fast-folder.ts";
import { contactsNamed, startKlaviyo } from "./remote-programs.ts";
import { startShopify } from "./remote-shops.ts";

/**
 * One server for all browser tests, with the demo data, and without limits on sign-ins, of which they make many. Beside it
 * stand a Klaviyo and a Shopify shop of our own, whose keys are `pk_good` and `shpat_good`.
 */
export default async function startServer() {
  const klaviyo = await startKlaviyo({
    key: "pk_good",
    lists: {
      "lists/NEWS": { name: "Newsletter", contacts: contactsNamed("reader", 1_250) },
      "segments/VIP": { name: "Best customers", contacts: contactsNamed("best", 40) },
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
  const dataDir = makeFastFolder("endcap-browser-");
  const cluster = await startEmbeddedDatabase({ dataDir });
  await disableDurability(cluster.url);
  await migrateDatabase({ ownerUrl: cluster.url, serverUrl: serverUrl(cluster.url), makesRole: true });
  const server = await startAppServer({
    databaseUrl: cluster.url,
    environment: {
      DEMO_DATA: "on",
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
      ALLOW_PRIVATE_OUTBOUND: "1",
      KLAVIYO_URL: klaviyo.origin,
    },
  });
  process.env.E2E_ORIGIN = server.origin;
  process.env.E2E_SHOP = shop.origin;
  return async () => {
    await server.stop();
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
    await klaviyo.stop();
    await shop.stop();
  };
}
