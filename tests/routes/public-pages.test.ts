import type { LoaderFunctionArgs } from "@remix-run/node";
import { beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { channelLabels, channels } from "#app/domain/campaigns/campaign.ts";
import { newId, type UserId } from "#app/domain/ids.ts";
import { env } from "#app/env.server.ts";
import { loader as landing } from "#app/screens/public/landing/route.tsx";
import { indexedPaths, publicPageMeta } from "#app/screens/public/public-page-meta.ts";
import { loader as robots } from "#app/screens/public/robots/route.ts";
import { loader as sitemap } from "#app/screens/public/sitemap/route.ts";
import { loader as thankYou } from "#app/screens/public/thank-you/route.tsx";
import { insertDemoAccounts } from "#db/seed/demo-accounts.ts";
import { newMember, newUser, visitor } from "#tests/domain/accounts/people.ts";
import { cookiePair } from "#tests/support/cookies.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";

const db = useDatabase();
const provider = useStandIn();
const campaign = newId();

/** Returns a page's loader data, for this user or for a visitor. */
async function read(loader: (args: LoaderFunctionArgs) => unknown, path: string, userId?: UserId) {
  const browser = provider.browser();
  if (userId) {
    const { token } = await startSession(visitor(), { userId, userAgent: null, replaces: undefined });
    browser.jar.set(...(await cookiePair("portal_session", token)));
  }
  const kind = new URL(path, "http://x").pathname.split("/").at(-1);
  return browser.call((args) => loader({ ...args, params: { kind } }), path);
}

describe("the landing page", () => {
  it("shows a visitor the plans, and no email", async () => {
    const { body } = await read(landing, "/");
    expect(body).toMatchObject({
      email: undefined,
      testMode: true,
      plans: [
        { label: "Starter", price: "$99" },
        { label: "Professional", price: "$299" },
        { label: "Enterprise", price: "$999" },
      ],
    });
  });

  it("counts and names the channels that the product has", async () => {
    const { body } = await read(landing, "/");
    const text = JSON.stringify(body);
    for (const channel of channels) expect(text).toContain(channelLabels[channel]);
    expect(text).toContain(`${channels.length} channels, one campaign, one report.`);
    expect(text).toContain(`and ${channels.length - 4} more channels.`);
  });

  it("leads each viewer from a plan to where it can be taken", async () => {
    const starter = "/publisher/billing/subscription/plans/starter";
    const registration = `/register?type=publisher&redirectTo=${encodeURIComponent(starter)}`;
    const planOf = async (userId?: UserId) => {
      const { body } = await read(landing, "/", userId);
      return (body as { plans: { to?: string }[] }).plans[0]?.to;
    };
    expect(await planOf()).toBe(`/publisher/login?redirectTo=${encodeURIComponent(registration)}`);
    expect(await planOf(await newUser())).toBe(registration);
    expect(await planOf((await newMember("publisher")).userId)).toBe(starter);
    expect(await planOf((await newMember("advertiser")).userId)).toBeUndefined();
  });

  it("recognizes a signed-in user, registered or not", async () => {
    const { userId } = await newMember("publisher");
    expect(await read(landing, "/", userId)).toMatchObject({ body: { email: expect.stringContaining("@") } });
    expect(await read(landing, "/", await newUser())).toMatchObject({ body: { email: expect.stringContaining("@") } });
  });
});

describe("what search engines and link previews read", () => {
  it("is the sitemap of the public pages, by absolute URLs", async () => {
    const { body } = await read(sitemap, "/sitemap.xml");
    const urls = String(body).match(/(?<=<loc>)[^<]+/g);
    expect(urls?.map((url) => new URL(url).pathname)).toEqual(indexedPaths);
    expect(new Set(urls?.map((url) => new URL(url).origin))).toEqual(new Set([env().publicUrl]));
  });

  it("leaves out the portals, the API and everything personal", async () => {
    const { body } = await read(robots, "/robots.txt");
    const lines = String(body).split("\n");
    for (const path of ["/advertiser", "/publisher", "/api", "/register"]) expect(lines).toContain(`Disallow: ${path}`);
    expect(lines).toContain("Allow: /advertiser/login$");
    expect(lines).toContain(`Sitemap: ${env().publicUrl}/sitemap.xml`);
  });

  it("is an absolute canonical URL and an absolute image", () => {
    const tags = publicPageMeta({
      publicUrl: "https://endcap.example",
      path: "/terms",
      title: "Terms",
      description: "The terms",
    });
    expect(tags).toContainEqual({ tagName: "link", rel: "canonical", href: "https://endcap.example/terms" });
    expect(tags).toContainEqual({ property: "og:image", content: "https://endcap.example/social-card.png" });
    expect(tags).toContainEqual({ name: "twitter:card", content: "summary_large_image" });
  });
});

describe("the thank-you screens", () => {
  const kinds: [kind: string, labels: string[], advertiser: string[], publisher: string[]][] = [
    [
      "campaign-created",
      ["View Campaign", "Back to Dashboard"],
      ["/advertiser/campaigns", "/advertiser/dashboard"],
      ["/publisher/campaigns", "/publisher/dashboard"],
    ],
    [
      "registration",
      ["Complete Profile", "Go to Dashboard"],
      ["/advertiser/profile", "/advertiser/dashboard"],
      ["/publisher/profile", "/publisher/dashboard"],
    ],
    [
      "subscription",
      ["View Billing", "Back to Dashboard"],
      ["/advertiser/billing", "/advertiser/dashboard"],
      ["/publisher/billing", "/publisher/dashboard"],
    ],
    [
      "campaign-approved",
      ["View Analytics", "Manage Campaigns"],
      ["/advertiser/analytics", "/advertiser/campaigns"],
      ["/publisher/analytics", "/publisher/campaigns"],
    ],
    [
      "audience-uploaded",
      ["Manage Audiences", "View Revenue"],
      ["/advertiser/dashboard", "/advertiser/dashboard"],
      ["/publisher/audiences", "/publisher/revenue"],
    ],
  ];

  it.each(kinds)("%s links into the portal of the signed-in user", async (kind, labels, ...destinations) => {
    for (const [index, portal] of (["advertiser", "publisher"] as const).entries()) {
      const { userId } = await newMember(portal);
      expect(await read(thankYou, `/thank-you/${kind}`, userId)).toMatchObject({
        status: 200,
        body: {
          redirects: true,
          portal,
          actions: labels.map((label, at) => ({ label, to: destinations[index]?.[at] })),
        },
      });
    }
  });

  it("links to its own campaign, and to nothing else", async () => {
    const { userId } = await newMember("advertiser");
    const first = async (query: string) => {
      const { body } = await read(thankYou, `/thank-you/campaign-created?campaign=${query}`, userId);
      return body;
    };
    expect(await first(campaign)).toMatchObject({ actions: [{ to: `/advertiser/campaigns/${campaign}` }, {}] });
    for (const odd of ["..%2F..%2Flogout", "%2F%2Fevil.example", "1", "", "%00"]) {
      expect(await first(odd)).toMatchObject({ actions: [{ to: "/advertiser/campaigns" }, {}] });
    }
  });

  it("sends a visitor to the portal of the screen, and a new user to the landing page", async () => {
    expect(await read(thankYou, "/thank-you/campaign-created")).toMatchObject({
      body: { email: undefined, actions: [{ to: "/advertiser/campaigns" }, { to: "/advertiser/dashboard" }] },
    });
    expect(await read(thankYou, "/thank-you/registration")).toMatchObject({
      body: { actions: [{ to: "/" }, { to: "/" }] },
    });
    expect(await read(thankYou, "/thank-you/campaign-created", await newUser())).toMatchObject({
      body: { actions: [{ to: "/" }, { to: "/" }] },
    });
  });

  it.each(["nonsense", "__proto__", "constructor"])("shows Success for %s, and does not redirect", async (kind) => {
    const { userId } = await newMember("publisher");
    expect(await read(thankYou, `/thank-you/${kind}`, userId)).toMatchObject({
      status: 200,
      body: { title: "Success", redirects: false, actions: [{ label: "Continue", to: "/publisher/dashboard" }] },
    });
  });

  describe("in test mode", () => {
    beforeAll(() => insertDemoAccounts(db(), new Date()));

    it.each(["advertiser", "publisher"])("stay in the %s's test mode, whoever is signed in", async (portal) => {
      const base = `/${portal}/test-mode`;
      const { userId } = await newMember(portal === "advertiser" ? "publisher" : "advertiser");
      for (const who of [undefined, userId]) {
        expect(await read(thankYou, `${base}/thank-you/campaign-created?campaign=${campaign}`, who)).toMatchObject({
          body: {
            framed: true,
            actions: [{ to: `${base}/campaigns/${campaign}` }, { to: `${base}/dashboard` }],
          },
        });
      }
    });
  });
});
