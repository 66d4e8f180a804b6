import { eq, inArray } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { profileSchema, type Registration, registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { findUserByEmail } from "#app/domain/accounts/find-user-by-email.server.ts";
import { getProfile } from "#app/domain/accounts/get-profile.server.ts";
import { getAccount, listAccounts } from "#app/domain/accounts/list-accounts.server.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { updateProfile } from "#app/domain/accounts/update-profile.server.ts";
import { maxApiKeys } from "#app/domain/api-keys/api-key.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { revokeApiKey } from "#app/domain/api-keys/revoke-api-key.server.ts";
import { type AccountId, type ApiKeyId, newId, type UserId } from "#app/domain/ids.ts";
import { accounts, auditEntries, users } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { asOperator, asUser, identity, newMember, newUser, visitor } from "./people.ts";

const db = useDatabase();

const fieldErrors = (payload: unknown) =>
  Object.fromEntries(
    registrationSchema.safeParse(payload).error?.issues.map((issue) => [issue.path.join("."), issue.message]) ?? [],
  );

describe("an account that does not exist", () => {
  it("is neither shown nor changed, and neither is one of the other type", async () => {
    const nobody = newId<AccountId>();
    await expectDomainError(getAccount(asOperator(), nobody), "not_found");
    const profile = profileSchema.parse({ company_name: "Nobody" });
    const { accountId } = await newMember("publisher");
    for (const id of [nobody, accountId]) {
      const ctx = { ...visitor(), actor: { kind: "advertiser", accountId: id } as const };
      await expectDomainError(updateProfile(ctx, profile), "not_found");
    }
  });
});

describe("an API key", () => {
  async function newActor() {
    const { accountId, userId } = await newMember("publisher");
    return { kind: "publisher", accountId, userId } as const;
  }

  it("cannot create keys", async () => {
    const { accountId } = await newMember("publisher");
    const actor = { kind: "publisher", accountId, apiKeyId: newId<ApiKeyId>() } as const;
    await expectDomainError(createApiKey({ ...visitor(), actor }, { name: "Second" }), "forbidden");
  });

  it("is one of at most 50 active keys of its account, also when several are created at once", async () => {
    const ctx = { ...visitor(), actor: await newActor() };
    const create = () => createApiKey(ctx, { name: "Nightly" });
    for (let count = 0; count < maxApiKeys - 2; count += 1) await create();
    const last = await Promise.allSettled([create(), create(), create(), create()]);
    const keys = last.flatMap((one) => (one.status === "fulfilled" ? [one.value.key] : []));
    expect(keys).toHaveLength(2);
    await expectDomainError(create(), "limit_reached", /limit of 50 API keys\. Revoke one first/);
    await createApiKey({ ...visitor(), actor: await newActor() }, { name: "Another account's" });
    await revokeApiKey(ctx, { id: keys[0]?.id ?? newId<ApiKeyId>() });
    await create();
    await expectDomainError(create(), "limit_reached");
  });
});

describe("registration", () => {
  const advertiser = { user_type: "advertiser", company_name: "Nordwind Coffee" };

  it("stores the specification's fields and leaves the others null", () => {
    expect(registrationSchema.parse({ ...advertiser, monthly_budget: null, website: "" })).toEqual<Registration>({
      user_type: "advertiser",
      company_name: "Nordwind Coffee",
      website: null,
      business_vertical: null,
      monthly_budget: null,
      monthly_visitors: null,
      monthly_pageviews: null,
    });
  });

  it("requires a type and a company name", () => {
    expect(fieldErrors({ company_name: " " })).toEqual({
      user_type: "Choose advertiser or publisher",
      company_name: "Company name is required",
    });
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://a.example",
    "example.com",
    "//a.example",
    "https://",
    "https://u:p@a.example",
  ])("rejects %s as a website", (website) => {
    expect(fieldErrors({ ...advertiser, website })).toHaveProperty("website");
  });

  it("says of a website with a user name or password what to remove", () => {
    for (const website of ["https://user:secret@acme.example", "https://:secret@acme.example"])
      expect(fieldErrors({ ...advertiser, website })).toEqual({
        website: "Remove the user name and password from the URL",
      });
  });

  it.each([
    -1,
    "-1",
    1.005,
    Number.POSITIVE_INFINITY,
    "NaN",
    "1e9",
    Number.NaN,
    "abc",
    {},
    [],
    true,
    9_007_199_254_740_994,
  ])("rejects %j as a budget", (budget) => {
    expect(fieldErrors({ ...advertiser, monthly_budget: budget })).toHaveProperty("monthly_budget");
  });

  it.each([-1, 1.5, "1.5", 1e13, Number.POSITIVE_INFINITY, "ten", {}, false])(
    "rejects %j as a number of visitors",
    (visitors) => {
      expect(fieldErrors({ user_type: "publisher", company_name: "x", monthly_visitors: visitors })).toHaveProperty(
        "monthly_visitors",
      );
    },
  );

  it.each([
    ["monthly_budget", 1_000_000_001, "Enter $1,000,000,000 or less"],
    ["monthly_budget", "$9,999,999,999,999", "Enter $1,000,000,000 or less"],
    ["monthly_budget", "-9999999999", "Enter an amount in US dollars, 0 or more"],
    ["monthly_visitors", "1,000,000,000,001", "Enter 1,000,000,000,000 or less"],
    ["monthly_visitors", "9".repeat(40), "Enter 1,000,000,000,000 or less"],
    ["monthly_visitors", -1e13, "Enter a whole number, 0 or more"],
  ])("says of a %s of %j: %s", (name, value, message) => {
    const user_type = name === "monthly_budget" ? "advertiser" : "publisher";
    expect(fieldErrors({ user_type, company_name: "x", [name]: value })).toEqual({ [name]: message });
  });

  it("accepts numbers as strings or numbers", () => {
    const read = registrationSchema.parse({
      user_type: "publisher",
      company_name: "x",
      monthly_visitors: "120,000",
      monthly_pageviews: 0,
    });
    expect(read).toMatchObject({ monthly_visitors: 120_000, monthly_pageviews: 0 });
    expect(registrationSchema.parse({ ...advertiser, monthly_budget: "1,250.50" }).monthly_budget).toBe(125_050);
  });

  it("ignores all but its own fields", async () => {
    const userId = await newUser();
    const registration = registrationSchema.parse({
      ...advertiser,
      status: "approved",
      is_demo: true,
      id: "x",
      allows_managed_campaigns: true,
    });
    const { accountId } = await registerAccount(asUser(userId), { registration, approval: "manual" });
    const [row] = await db().select().from(accounts).where(eq(accounts.id, accountId));
    expect(row).toMatchObject({ status: "pending", isDemo: false, allowsManagedCampaigns: false, decidedAt: null });
    const [line] = await db().select().from(auditEntries).where(eq(auditEntries.entityId, accountId));
    expect(line).toMatchObject({ action: "account.registered", actorUserId: userId, after: { status: "pending" } });
  });

  it("approves at once only where configured", async () => {
    const { accountId } = await newMember("publisher", "auto");
    expect((await db().select().from(accounts).where(eq(accounts.id, accountId)))[0]).toMatchObject({
      status: "approved",
    });
  });

  it("happens once, however many concurrent requests there are", async () => {
    const userId = await newUser();
    const registration = registrationSchema.parse(advertiser);
    const before = (await db().select().from(accounts)).length;
    const answers = await Promise.allSettled(
      Array.from({ length: 12 }, () => registerAccount(asUser(userId), { registration, approval: "auto" })),
    );
    expect(answers.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    for (const one of answers)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "already_registered" });
    expect(await db().select().from(accounts)).toHaveLength(before + 1);
  });
});

describe("a profile", () => {
  it("is changed as a whole, and the change is recorded in the audit trail", async () => {
    const { userId, accountId } = await newMember("advertiser");
    const ctx = { ...visitor(), actor: { kind: "advertiser" as const, accountId, userId } };
    const profile = profileSchema.parse({
      company_name: "New name",
      website: "https://new.example",
      monthly_budget: "500",
      monthly_visitors: "9",
      allows_managed_campaigns: true,
    });
    await updateProfile(ctx, profile);
    await updateProfile(ctx, profile);
    expect(await getProfile(ctx)).toMatchObject({
      company_name: "New name",
      monthly_budget: 500,
      monthly_visitors: null,
      allows_managed_campaigns: true,
    });
    const lines = await db().select().from(auditEntries).where(eq(auditEntries.action, "account.changed"));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.after).toMatchObject({ company_name: "New name", allows_managed_campaigns: true });
  });

  it("has no managed-campaigns switch for a publisher", async () => {
    const { accountId } = await newMember("publisher");
    const ctx = { ...visitor(), actor: { kind: "publisher" as const, accountId } };
    await updateProfile(ctx, profileSchema.parse({ company_name: "P", allows_managed_campaigns: true }));
    expect(await getProfile(ctx)).toMatchObject({ allows_managed_campaigns: false });
  });
});

describe("an operator", () => {
  it("approves and suspends, once each, with an audit entry", async () => {
    const { accountId } = await newMember("advertiser", "manual");
    expect(await approveAccount(asOperator(), { accountId })).toEqual({ changed: true });
    expect(await approveAccount(asOperator(), { accountId })).toEqual({ changed: false });
    expect(await suspendAccount(asOperator(), { accountId })).toEqual({ changed: true });
    const lines = await db()
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.entityId, accountId))
      .orderBy(auditEntries.id);
    expect(lines.map((line) => line.action)).toEqual(["account.registered", "account.approved", "account.suspended"]);
    expect(lines[2]).toMatchObject({
      actorName: "test operator",
      before: { status: "approved" },
      after: { status: "suspended" },
    });
  });

  it("gets an error for an unknown account", async () => {
    await expect(approveAccount(asOperator(), { accountId: newId<AccountId>() })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("lists accounts page by page and finds one by email address", async () => {
    const { userId, accountId } = await newMember("publisher");
    const [user] = await db().select().from(users).where(eq(users.id, userId));
    expect((await findUserByEmail(asOperator(), { email: ` ${user?.email.toUpperCase()} ` }))?.accountId).toBe(
      accountId,
    );
    expect(await findUserByEmail(asOperator(), { email: "nobody@example.org" })).toBeUndefined();
    const seen: string[] = [];
    let after: AccountId | undefined;
    do {
      const page = await listAccounts(asOperator(), { limit: 2, after });
      seen.push(...page.accounts.map((account) => account.id));
      after = page.next;
    } while (after);
    expect(seen).toEqual((await db().select().from(accounts).orderBy(accounts.id)).map((account) => account.id));
    expect((await listAccounts(asOperator(), {})).accounts.find((one) => one.id === accountId)?.email).toBe(
      user?.email,
    );
  });
});

describe("a user", () => {
  const rowsOf = (them: { userId: UserId }[]) => {
    const ids = them.map(({ userId }) => userId);
    return db().select().from(users).where(inArray(users.id, ids)).orderBy(users.id);
  };

  it("is identified by the subject; email address and name are updated", async () => {
    const who = identity();
    const first = await signInUser(visitor(), who);
    const again = await signInUser(visitor(), { ...who, email: "moved@example.org", name: "New Name" });
    expect(again).toEqual(first);
    expect((await db().select().from(users).where(eq(users.id, first.userId)))[0]).toMatchObject({
      email: "moved@example.org",
      name: "New Name",
    });
  });

  it("is not the account of the person who has the email address now", async () => {
    const who = identity();
    await signInUser(visitor(), who);
    await expect(signInUser(visitor(), identity({ email: who.email.toUpperCase() }))).rejects.toMatchObject({
      code: "sign_in_failed",
    });
  });

  it("is not moved to a subject that is another user already", async () => {
    const google = identity({ email: "jane@corp.example" });
    const oidc = identity({ subject: "oidc:corp-1", email: "j.doe@corp.example" });
    const both = [await signInUser(visitor(), google), await signInUser(visitor(), { ...oidc, ownsEmail: true })];
    const before = await rowsOf(both);
    expect(before).toHaveLength(2);
    const corrected = { ...oidc, email: google.email, ownsEmail: true };
    await expect(signInUser(visitor(), corrected)).rejects.toMatchObject({ code: "sign_in_failed" });
    expect(await rowsOf(both)).toEqual(before);
  });

  it.each([
    { emailVerified: false },
    { email: "no address" },
    { email: "a@b\u0000" },
    { email: "" },
    { subject: "" },
    { subject: "x\u0000" },
  ])("is not created from %j", async (changes) => {
    await expect(signInUser(visitor(), identity(changes))).rejects.toMatchObject({ code: "sign_in_failed" });
  });

  it("is one, however many concurrent sign-ins there are", async () => {
    // Many people, since it takes luck for two to meet in the unique address before they meet in the subject.
    for (const who of Array.from({ length: 25 }, () => identity())) {
      const made = await Promise.all(Array.from({ length: 12 }, () => signInUser(visitor(), who)));
      expect(new Set(made.map((one) => one.userId)).size).toBe(1);
    }
  });

  it("has a readable name, and an avatar from https only", async () => {
    const { userId } = await signInUser(
      visitor(),
      identity({ name: "A\u0000\ud800B\u202e", picture: "http://a.example/x.png" }),
    );
    expect((await db().select().from(users).where(eq(users.id, userId)))[0]).toMatchObject({
      name: "A  B",
      picture: null,
    });
  });
});
