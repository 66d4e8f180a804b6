import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { auditEntries, notifications } from "#db/schema/index.ts";
import { sheetXml, workbook } from "#tests/sheets/support/workbook.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { audienceRow, createEmptyAudience, createFilePart, loadStoredHashes, upload } from "./an-audience.ts";
import { readTexts } from "./read-text.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/** Header lines as the programs export them, with invented rows: the first agreed, the second did not. */
const layouts: [string, string, string, string][] = [
  ["Shopify", "First Name,Email,Accepts Email Marketing", "Ada,a@example.com,yes", "Bo,b@example.com,no"],
  ["Mailchimp", "Email Address,UNSUB_TIME,UNSUB_REASON", "a@example.com,,", "b@example.com,2026-05-01 10:00:00,"],
  ["Mailchimp, cleaned", "Email Address,CLEAN_TIME", "a@example.com,", "b@example.com,2026-05-01 10:00:00"],
  ["Mailchimp, status", "Email Address,Status", "a@example.com,subscribed", "b@example.com,cleaned"],
  ["Klaviyo", "Email,Email Marketing Consent", "a@example.com,SUBSCRIBED", "b@example.com,NEVER_SUBSCRIBED"],
  ["Klaviyo, suppressed", "Email,Email Suppressions", "a@example.com,[]", "b@example.com,['USER_SUPPRESSED']"],
  ["HubSpot", "Email,Unsubscribed from all email", "a@example.com,", "b@example.com,true"],
  ["Salesforce", "Email,Email Opt Out", "a@example.com,0", "b@example.com,1"],
  ["Salesforce, API names", "Email,HasOptedOutOfEmail", "a@example.com,false", "b@example.com,true"],
  ["Magento", "ID,Email,Type,Status", "1,a@example.com,Guest,Subscribed", "2,b@example.com,Guest,Unsubscribed"],
  ["Square", "Email Address,Email Subscription Status", "a@example.com,subscribed", "b@example.com,unsubscribed"],
  ["WooCommerce", "email,mailchimp_woocommerce_is_subscribed", "a@example.com,1", "b@example.com,0"],
  ["German", "E-Mail-Adresse;Werbeeinwilligung", "a@example.com;ja", "b@example.com;nein"],
  ["French", "Courriel;Désabonné", "a@example.com;non", "b@example.com;oui"],
  ["Spanish", "Correo electrónico;Acepta marketing", "a@example.com;sí", "b@example.com;no"],
  ["Italian", "Indirizzo email;Consenso marketing", "a@example.com;sì", "b@example.com;no"],
  ["Dutch", "E-mailadres;Afgemeld", "a@example.com;nee", "b@example.com;ja"],
  ["Portuguese", "Endereço de email;Aceita marketing", "a@example.com;sim", "b@example.com;não"],
  ["Polish", "Adres email;Zgoda marketingowa", "a@example.com;tak", "b@example.com;nie"],
  ["Russian", "Электронная почта;Согласие на рассылку", "a@example.com;да", "b@example.com;нет"],
  ["Japanese", "メールアドレス,配信停止", "a@example.com,いいえ", "b@example.com,はい"],
];

test.each(layouts)("%s: the row that says no is left out", (_, header, yes, no) => {
  const { counts, blocks } = readTexts([[header, yes, no].join("\n")]);
  expect(counts).toMatchObject({ rowsRead: 2, rowsBlank: 0, rowsInvalid: 0, rowsOptedOut: 1 });
  expect(blocks.reduce((sum, { flags }) => sum + flags.length, 0)).toBe(1);
});

describe("a workbook", () => {
  const sheet = (name: string, addresses: string[], state?: string) => {
    const rows = ["Email", ...addresses].map((text) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`);
    return { name, xml: sheetXml(rows.join("")), ...(state && { state }) };
  };
  const send = async (sheets: ReturnType<typeof sheet>[], more: object = {}) => {
    const audienceId = await createEmptyAudience(world.harbor);
    return upload(world.harbor, { audienceId, files: [workbook({ sheets })], ...more });
  };

  test("leaves out the sheets of people who objected, unless the uploader wants them, and reads no hidden one", async () => {
    const sheets = [
      sheet("Customers", ["a@example.com", "b@example.com"]),
      sheet("Unsubscribed", ["c@example.com"]),
      sheet("SMS opt-outs", ["d@example.com"]),
      sheet("Without unsubscribed", ["e@example.com"]),
      sheet("Reçus", ["i@example.com"]),
      sheet("Old list", ["f@example.com", "g@example.com"], "hidden"),
      sheet("Older list", ["h@example.com"], "veryHidden"),
    ];
    const report = await send(sheets);
    expect(report).toMatchObject({ status: "succeeded", rowsRead: 6, rowsOptedOut: 1, peopleAdded: 5 });
    expect(report.optOuts).toEqual([
      { column: "Sheet name", rows: 1, identifiers: 0, blank: 0, unclear: 0, values: [] },
    ]);
    expect(report.notes).toContainEqual(expect.stringMatching(/ has 2 hidden sheets, which were not read\.$/));
    expect(await send(sheets, { includesOptOuts: true })).toMatchObject({ rowsOptedOut: 0, peopleAdded: 6 });
  });

  test("of which only a hidden sheet has people is rejected with the reason", async () => {
    const cover = { ...sheet("Cover", []), xml: sheetXml("") };
    const report = await send([cover, sheet("People", ["a@example.com"], "hidden")]);
    expect(report).toMatchObject({ status: "failed", error: expect.stringMatching(/hidden sheets are not read/) });
  });
});

describe("a file whose name says that its people opted out", () => {
  const people = "Email,Phone\na@example.com,+16505550100\nb@example.com,";
  const files = (name: string) => [createFilePart(people, { name })];

  test("is left out, unless the uploader wants its people", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    const report = await upload(world.harbor, { audienceId, files: files("Unsubscribed list.csv") });
    expect(report).toMatchObject({ status: "failed", rowsOptedOut: 2, optOuts: [{ column: "File name", rows: 2 }] });
    expect(report.error).toMatch(/^Every person in the file opted out/);
    const explicit = { audienceId, includesOptOuts: true, files: files("Unsubscribed list.csv") };
    expect(await upload(world.harbor, explicit)).toMatchObject({ rowsOptedOut: 0, peopleAdded: 2 });
  });

  test("adds nobody beside a file of customers", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    const customers = createFilePart("Email\nc@example.com", { name: "newsletter-subscribers.csv" });
    const report = await upload(world.harbor, { audienceId, files: [customers, ...files("do-not-contact.csv")] });
    expect(report).toMatchObject({ status: "succeeded", rowsOptedOut: 2, size: 1 });
  });

  test("leaves out the identifiers that it is about", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    const report = await upload(world.harbor, { audienceId, files: files("SMS opt-outs.csv") });
    expect(report).toMatchObject({ optOuts: [{ column: "File name", rows: 0, identifiers: 1 }], size: 2 });
    expect(await loadStoredHashes(world.harbor, audienceId)).toHaveLength(2);
  });

  test("removes its people when the upload removes people", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    await upload(world.harbor, { audienceId, files: files("customers.csv") });
    const removal = { audienceId, mode: "remove", files: files("optouts.csv") } as const;
    expect(await upload(world.harbor, removal)).toMatchObject({ rowsOptedOut: 0, peopleRemoved: 2, size: 0 });
  });
});

describe("an upload with opt-outs", () => {
  const csv =
    "Email,Phone,Accepts Email Marketing,Accepts SMS Marketing\n" +
    "a@example.com,,yes,no\nb@example.com,+16505550100,no,yes\nc@example.com,+16505550101,no,no\nd@example.com,,maybe,";

  test("leaves out only what the person objected to, counts it by column, and stores nothing else", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    const report = await upload(world.harbor, { audienceId, files: [csv] });
    expect(report).toMatchObject({ rowsRead: 4, rowsOptedOut: 2, rowsInvalid: 0, size: 2, includesOptOuts: false });
    expect(report.optOuts).toEqual([
      { column: "Accepts Email Marketing", rows: 2, identifiers: 1, blank: 0, unclear: 1, values: ["m***"] },
    ]);
    expect(JSON.stringify(report)).not.toMatch(/c@example|d@example|5550101/);
    // One email address, and one phone number with its variant.
    expect(await loadStoredHashes(world.harbor, audienceId)).toHaveLength(3);
  });

  test("imports everyone after an explicit statement, which the audit trail records", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    const report = await upload(world.harbor, { audienceId, includesOptOuts: true, files: [csv] });
    expect(report).toMatchObject({ rowsOptedOut: 0, optOuts: [], size: 4, includesOptOuts: true });
    const entries = await db()
      .select({ after: auditEntries.after })
      .from(auditEntries)
      .where(and(eq(auditEntries.entityId, audienceId), eq(auditEntries.action, "audience.opt_outs_included")));
    expect(entries).toEqual([{ after: { upload_id: report.id, include_opt_outs: true } }]);
  });

  test("says in the notification and its email how many rows were left out", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    const described = async (files: string[]) => {
      const { id } = await upload(world.harbor, { audienceId, files });
      const [sent] = await db().select().from(notifications).where(eq(notifications.subjectId, id));
      if (!sent) throw new Error("no notification");
      return describeNotification(sent, "publisher").lines.slice(1);
    };
    expect(await described([csv])).toEqual(["2 rows were left out because the people opted out."]);
    expect(await described(["Email,Unsubscribed\nx@example.com,1\ny@example.com,0"])).toEqual([
      "1 row was left out because the person opted out.",
    ]);
    expect(await described(["Email\nz@example.com"])).toEqual([]);
  });

  test("removes people who opted out when the upload removes people", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    await upload(world.harbor, { audienceId, includesOptOuts: true, files: [csv] });
    const removed = await upload(world.harbor, { audienceId, mode: "remove", files: [csv] });
    expect(removed).toMatchObject({ rowsOptedOut: 0, peopleRemoved: 4, size: 0 });
  });

  test("changes nothing of the audience that it replaces when everyone opted out", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    await upload(world.harbor, { audienceId, files: ["Email,Unsubscribed\na@example.com,0\nb@example.com,0"] });
    const files = ["Email,Unsubscribed\na@example.com,1\n,\nb@example.com,1"];
    const report = await upload(world.harbor, { audienceId, mode: "replace", files });
    expect(report).toMatchObject({ status: "failed", rowsOptedOut: 2, peopleRemoved: 0 });
    expect(await audienceRow(world.harbor, audienceId)).toMatchObject({ size: 2, version: 1 });
  });

  test("fails with the reason when everyone opted out", async () => {
    const audienceId = await createEmptyAudience(world.harbor);
    const report = await upload(world.harbor, { audienceId, files: ["Email,Unsubscribed\na@example.com,1"] });
    expect(report).toMatchObject({ status: "failed", rowsOptedOut: 1 });
    expect(report.error).toMatch(/^Every person in the file opted out/);
  });
});
