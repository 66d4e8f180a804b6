import { describe, expect, it } from "vitest";
import { pullIntegrations } from "#app/domain/audiences/data-source.ts";
import { storeKinds } from "#app/domain/catalog/stores/store.ts";
import { connectableChannels } from "#app/domain/delivery/channels/connectable.ts";
import { describeApiEnd, serviceApis, services } from "#app/outbound/service-apis.ts";

describe("the table of services' APIs", () => {
  it("has every integration, store and channel that requests are sent to", () => {
    const stores = storeKinds.filter((kind) => kind !== "feed");
    // Google's channel sends its audiences to a second API.
    const connected = [...pullIntegrations, ...stores, ...connectableChannels, "googleDataManager"];
    expect([...services].sort()).toEqual(connected.sort());
    expect(Object.keys(serviceApis).sort()).toEqual([...services].sort());
  });

  it("warns from 60 days before the end of a version, and after it", () => {
    const at = (day: string) => describeApiEnd("shopify", new Date(`${day}T00:00:00Z`));
    expect(serviceApis.shopify).toEqual({ label: "Shopify", version: "2026-10", endsOn: "2027-10-01" });
    expect(at("2027-08-01")).toBeUndefined();
    expect(at("2027-08-02")).toBe(
      "Shopify ends the version of its API that is used here (2026-10) on 2027-10-01. Upgrade Endcap before then.",
    );
    expect(at("2027-10-01")).toBe(
      "Shopify ended the version of its API that is used here (2026-10) on 2027-10-01. Upgrade Endcap.",
    );
    expect(describeApiEnd("meta", new Date("2099-01-01"))).toBeUndefined();
  });
});
