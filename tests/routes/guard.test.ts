import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import * as findMember from "#app/domain/accounts/find-viewer.server.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import type { UserId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { env } from "#app/env.server.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { accounts } from "#db/schema/index.ts";
import { asOperator, newMember, newUser, visitor } from "#tests/domain/accounts/people.ts";
import { cookiePair } from "#tests/support/cookies.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";

const db = useDatabase();
const provider = useStandIn();

async function as(userId: UserId | undefined) {
  const browser = provider.browser();
  if (userId) {
    const { token } = await startSession(visitor(), { userId, userAgent: null, replaces: undefined });
    browser.jar.set(...(await cookiePair("portal_session", token)));
  }
  return (portal: AccountType, path: string) =>
    browser.call(async ({ request, context }) => {
      const { ctx, viewer, mode, base } = await requirePortalAccess(request, portal, context);
      return { actor: ctx.actor, entrypoint: ctx.entrypoint, viewer, mode, base };
    }, path);
}

describe.each(["advertiser", "publisher"] as const)("the %s portal", (portal) => {
  const other = portal === "advertiser" ? "publisher" : "advertiser";

  it("sends a visitor to its login, with the requested page as the target", async () => {
    const response = await (await as(undefined))(portal, `/${portal}/campaigns?status=active&q=a%26b`);
    expect(response.status).toBe(302);
    const url = new URL(response.location ?? "", "http://x");
    expect(url.pathname).toBe(`/${portal}/login`);
    expect(url.searchParams.get("redirectTo")).toBe(`/${portal}/campaigns?status=active&q=a%26b`);
  });

  it("sends a new user to the registration", async () => {
    const response = await (await as(await newUser()))(portal, `/${portal}`);
    expect(response).toMatchObject({ status: 302, location: `/register?type=${portal}` });
  });

  it("denies the other user type", async () => {
    const { userId } = await newMember(other);
    expect(await (await as(userId))(portal, `/${portal}/dashboard`)).toMatchObject({
      status: 403,
      body: `Access denied. This portal is for ${portal}s only.`,
    });
  });

  it("asks unapproved and suspended accounts to wait, and admits them at once when approved", async () => {
    const { userId, accountId } = await newMember(portal, "manual");
    const enter = await as(userId);
    const waiting = { status: 403, body: "Your account is pending approval. Please contact support." };
    expect(await enter(portal, `/${portal}/dashboard`)).toMatchObject(waiting);
    await approveAccount(asOperator(), { accountId });
    expect((await enter(portal, `/${portal}/dashboard`)).status).toBe(200);
    await suspendAccount(asOperator(), { accountId });
    expect(await enter(portal, `/${portal}/dashboard`)).toMatchObject(waiting);
  });

  it("admits its own users, as their account", async () => {
    const { userId, accountId } = await newMember(portal);
    const { body } = await (await as(userId))(portal, `/${portal}/campaigns`);
    expect(body).toMatchObject({
      actor: { kind: portal, accountId, userId },
      entrypoint: "screen",
      mode: "live",
      base: `/${portal}`,
      viewer: { id: userId, userType: portal, accountId },
    });
  });

  it("reports that the user cannot be loaded", async () => {
    const { userId } = await newMember(portal);
    const enter = await as(userId);
    vi.spyOn(findMember, "findViewer").mockRejectedValue(new Error("the database is away"));
    expect(await enter(portal, `/${portal}`)).toMatchObject({ status: 503, body: "Failed to load user data" });
  });
});

describe.each(["advertiser", "publisher"] as const)("the %s portal Test mode", (portal) => {
  it("reports that there is no demo data", async () => {
    const response = await (await as(undefined))(portal, `/${portal}/test-mode`);
    expect(response.status).toBe(503);
    expect(response.body).toContain("Test mode needs demo data, and this installation has none.");
  });

  describe("with demo accounts", () => {
    let demo: Awaited<ReturnType<typeof newMember>>;
    beforeAll(async () => {
      demo = await newMember(portal);
      const later = await newMember(portal);
      for (const { accountId } of [demo, later]) {
        await db().update(accounts).set({ isDemo: true }).where(eq(accounts.id, accountId));
      }
    });

    it("acts as the first demo account, for any visitor, without a principal", async () => {
      const someone = await newMember(portal === "advertiser" ? "publisher" : "advertiser");
      for (const userId of [undefined, someone.userId]) {
        const { body } = await (await as(userId))(portal, `/${portal}/test-mode/campaigns`);
        expect(body).toMatchObject({ entrypoint: "test_mode", mode: "test", base: `/${portal}/test-mode` });
        expect(Reflect.get(Object(body), "actor")).toEqual({ kind: portal, accountId: demo.accountId });
      }
    });

    it("does not exist where it is off", async () => {
      const off = { ...env(), testMode: false };
      vi.spyOn(environment, "env").mockReturnValue(off);
      const address = `/${portal}/test-mode/campaigns`;
      expect(await (await as(undefined))(portal, address)).toMatchObject({ status: 404, body: "Not Found" });
      expect((await (await as(demo.userId))(portal, address)).status).toBe(404);
    });

    it.each(["/test-modes", "/Test-Mode", "/test%2Dmode", "/x/test-mode", "/test-mode%2f"])(
      "cannot be entered through %s",
      async (path) => {
        expect((await (await as(undefined))(portal, `/${portal}${path}`)).location).toContain(`/${portal}/login`);
      },
    );
  });
});
