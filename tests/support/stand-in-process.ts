import { startStandIn } from "./stand-in.ts";

/** Where no server listens: no test of a shared process reaches the services that the product sends requests to. */
const nowhere = "http://127.0.0.1:1";

await startStandIn({
  KLAVIYO_URL: nowhere,
  HUBSPOT_URL: nowhere,
  GOOGLE_ADS_URL: nowhere,
  GOOGLE_DATA_MANAGER_URL: nowhere,
  META_URL: nowhere,
});
