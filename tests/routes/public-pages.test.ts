import type { LoaderFunctionArgs } from "@remix-run/node";
import { beforeAll, describe, expect, it } from "vitest";
import { startSession } from "#app/domain/accounts/start-session.server.ts";
import { newId, type UserId } from "#app/domain/ids.ts";
import { loader as landing } from "#app/screens/public/landing.tsx";
import { loader as thankYou } from "#app/screens/public/thank-you.tsx";
import { insertDemoAccounts } from "#db/seed/demo-accounts.ts";
import { newMember, newUser, visitor } from "#tests/domain/accounts/people.ts";
import { cookiePair } from "#tests/support/cookies.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";

const db = useDatabase();
const standIn = useStandIn();
const campaign = newId();

/** What a page tells its component, for this person or for a visitor. */
async function read(loader: (args: LoaderFunctionArgs) => unknown, path: string, userId?: UserId) {
  const browser = standIn.browser();
  if (userId) {
    const { token } = await startSession(visitor(), { userId, userAgent: null, replaces: undefined });
    browser.jar.set(...(await cookiePair("portal_session", token)));
  }
  const kind = new URL(path, "http://x").pathname.split("/").at(-1);
  return browser.call((args) => loader({ ...args, params: { kind } }), path);
}

describe("the landing page", () => {
  it("shows a visitor the plans, and no e-mail", async () => {
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

  it("knows who is signed in, registered or not", async () => {
    const { userId } = await newMember("publisher");
    expect(await read(landing, "/", userId)).toMatchObject({ body: { email: expect.stringContaining("@") } });
    expect(await read(landing, "/", await newUser())).toMatchObject({ body: { email: expect.stringContaining("@") } });
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

  it.each(kinds)("%s leads on within the portal of who is signed in", async (kind, labels, ...destinations) => {
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

  it("makes the way to the campaign it is about, and to nothing else", async () => {
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

  it("sends a visitor to the portal that the screen belongs to, and a newcomer home", async () => {
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

  it.each(["nonsense", "__proto__", "constructor"])("says Success for %s, and stays", async (kind) => {
    const { userId } = await newMember("publisher");
    expect(await read(thankYou, `/thank-you/${kind}`, userId)).toMatchObject({
      status: 200,
      body: { title: "Success", redirects: false, actions: [{ label: "Continue", to: "/publisher/dashboard" }] },
    });
  });

  describe("under test mode", () => {
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
