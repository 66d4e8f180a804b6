import { beforeAll, describe, expect, test } from "vitest";
import { ingestSegmentEvents } from "#app/domain/audiences/integrations/ingest-segment-events.server.ts";
import { parseSegmentEvents, segmentEventsSchema } from "#app/domain/audiences/integrations/segment-events.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { audienceRow, createEmptyAudience, loadStoredHashes } from "./an-audience.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/** As Segment's documentation shows them. */
const personas = { computation_class: "audience", computation_key: "vip", computation_id: "aud_1", space_id: "spa_1" };
const identify = (email: string | undefined, vip: unknown) => ({
  type: "identify",
  userId: "u1",
  traits: { email, vip },
  context: { personas, library: { name: "unknown" } },
});
const track = (email: string, event: string, properties: object = {}) => ({
  type: "track",
  event,
  userId: "u1",
  properties: { audience_key: "vip", ...properties },
  context: { traits: { email } },
});
const withPhone = (traits: object) => ({
  type: "identify",
  traits: { phone: "+14155550100", ...traits },
  context: { personas },
});
const read = (events: unknown, key?: string) => parseSegmentEvents(segmentEventsSchema.parse(events), key);

describe("Segment's events", () => {
  test("report who entered and who left, by the audience's key or the event's name", () => {
    expect(
      read({
        events: [
          identify("ada@example.com", true),
          identify("bob@example.com", false),
          track("cy@example.com", "Audience Entered", { vip: true }),
          track("dee@example.com", "Audience Exited", { vip: false }),
          track("eve@example.com", "Audience Entered"),
          track("fay@example.com", "Audience Exited"),
        ],
      }),
    ).toEqual({
      add: [{ email: "ada@example.com" }, { email: "cy@example.com" }, { email: "eve@example.com" }],
      remove: [{ email: "bob@example.com" }, { email: "dee@example.com" }, { email: "fay@example.com" }],
      ignored: 0,
      optedOut: 0,
    });
  });

  test("arrive singly too, and with a phone number where there is no email address", () => {
    expect(read(withPhone({ vip: true }))).toEqual({
      add: [{ phone: "+14155550100" }],
      remove: [],
      ignored: 0,
      optedOut: 0,
    });
  });

  test("about one person apply in their order, whatever the case of the email address", () => {
    const events = [identify("Ada@example.com", true), identify("ada@example.com", false)];
    expect(read({ events })).toMatchObject({ add: [], remove: [{ email: "ada@example.com" }] });
    expect(read({ events: [...events, identify("ADA@example.com", true)] })).toMatchObject({
      add: [{ email: "ADA@example.com" }],
      remove: [],
    });
  });

  test("about an identifier apply in their order, whichever others they have", () => {
    const events = [withPhone({ vip: true }), withPhone({ email: "ada@example.com", vip: false })];
    const left = { add: [], remove: [{ email: "ada@example.com" }, { phone: "+14155550100" }] };
    expect(read({ events })).toMatchObject(left);
    expect(read({ events: [...events, withPhone({ vip: true })] })).toMatchObject({
      add: [{ phone: "+14155550100" }],
      remove: [{ email: "ada@example.com" }],
    });
  });

  test.each([
    ["a page", { type: "page", properties: { path: "/" } }],
    ["somebody's ordinary traits", { type: "identify", traits: { email: "a@example.com", plan: "gold" } }],
    ["an ordinary event", track("a@example.com", "Order Completed")],
    ["nobody", identify(undefined, true)],
    ["a number instead of yes or no", identify("a@example.com", 1)],
    [
      "a computed trait",
      {
        ...identify("a@example.com", true),
        context: { personas: { ...personas, computation_class: "computed_trait" } },
      },
    ],
    ["things of other shapes", { type: "identify", traits: ["a@example.com"], context: "x", properties: 7 }],
    [
      "a key of the language's own",
      { ...identify("a@example.com", true), context: { personas: { computation_key: "constructor" } } },
    ],
  ])("about %s are ignored", (_name, event) => {
    expect(read(event)).toEqual({ add: [], remove: [], ignored: 1, optedOut: 0 });
  });

  test("of another audience are ignored where the key is given, and a plain identify call applies to it", () => {
    const plain = { type: "identify", userId: "u", traits: { email: "a@example.com", vip: true } };
    expect(read(plain)).toMatchObject({ ignored: 1, optedOut: 0 });
    expect(read(plain, "vip")).toMatchObject({ add: [{ email: "a@example.com" }], ignored: 0, optedOut: 0 });
    expect(
      read({ events: [identify("a@example.com", true), track("b@example.com", "Audience Entered")] }, "other"),
    ).toEqual({ add: [], remove: [], ignored: 2, optedOut: 0 });
  });
});

describe("who opted out", () => {
  const entering = (traits: object, consent?: object) => ({
    type: "identify",
    traits: { email: "ada@example.com", phone: "+14155550100", vip: true, ...traits },
    context: { personas, ...(consent && { consent: { categoryPreferences: consent } }) },
  });
  const both = [{ email: "ada@example.com" }, { phone: "+14155550100" }];

  test.each([
    ["in the consent object", entering({}, { Advertising: false, Analytics: true })],
    ["in a trait of agreements", entering({ marketing_consent: false })],
    ["in a trait of objections", entering({ do_not_contact: true })],
    ["without an answer", entering({ marketing_consent: null })],
  ])("is left out and removed: %s", (_, event) => {
    expect(read(event)).toEqual({ add: [], remove: both, ignored: 0, optedOut: 1 });
  });

  test.each([
    ["other categories", entering({}, { Advertising: true, Analytics: false })],
    ["a strange consent object", entering({}, [1])],
    ["an agreement", entering({ marketing_consent: true, unsubscribed: false })],
    ["the dates of an agreement", entering({ consent_timestamp: "2026-05-01" })],
  ])("is not concerned by %s", (_, event) => {
    expect(read(event)).toEqual({ add: [{ email: "ada@example.com" }], remove: [], ignored: 0, optedOut: 0 });
  });

  test("of email is added by the phone number, and leaves with both", () => {
    const refusing = entering({ accepts_email_marketing: "no" });
    expect(read(refusing)).toEqual({
      add: [{ phone: "+14155550100" }],
      remove: [{ email: "ada@example.com" }],
      ignored: 0,
      optedOut: 0,
    });
    const leaving = { ...refusing, traits: { ...refusing.traits, vip: false } };
    expect(read(leaving)).toEqual({ add: [], remove: both, ignored: 0, optedOut: 0 });
  });

  test("is not read from the audience's own trait", () => {
    const own = { ...personas, computation_key: "newsletter" };
    const event = {
      type: "identify",
      traits: { email: "a@example.com", newsletter: true },
      context: { personas: own },
    };
    expect(read(event)).toMatchObject({ add: [{ email: "a@example.com" }] });
  });
});

describe("an audience of Segment", () => {
  const ingestEvents = (audienceId: AudienceId, events: object[], by = world.harbor) =>
    ingestSegmentEvents(by, { audienceId, key: undefined, ...segmentEventsSchema.parse({ events }) });

  test("gains and loses people as they enter and leave, and repeated events change nothing", async () => {
    const id = await createEmptyAudience(world.harbor, { dataSource: "segment" });
    const many = Array.from({ length: 1_200 }, (_, index) => identify(`p${index}@example.com`, true));
    expect(await ingestEvents(id, [...many, identify("not an address", true), { type: "page" }])).toEqual({
      ingested: { added: 1_200, duplicate: 0, removed: 0, absent: 0, invalid: 1, opted_out: 0, ignored: 1 },
      size: 1_200,
    });
    expect((await ingestEvents(id, many)).ingested).toMatchObject({ added: 0, duplicate: 1_200 });
    expect(await audienceRow(world.harbor, id)).toMatchObject({ status: "ready", version: 1 });
    const left = await ingestEvents(id, [
      track("p5@example.com", "Audience Exited"),
      track("x@example.com", "Audience Exited"),
    ]);
    expect(left).toMatchObject({ ingested: { removed: 1, absent: 1 }, size: 1_199 });
    expect(await loadStoredHashes(world.harbor, id)).toHaveLength(1_199);
  });

  test("loses who entered by the phone number and leaves with an email address too", async () => {
    const id = await createEmptyAudience(world.harbor, { dataSource: "segment" });
    await ingestEvents(id, [withPhone({ vip: true })]);
    const left = await ingestEvents(id, [withPhone({ email: "ada@example.com", vip: false })]);
    expect(left).toMatchObject({ ingested: { removed: 1, absent: 1 }, size: 0 });
    expect(await loadStoredHashes(world.harbor, id)).toEqual([]);
  });

  test("must be one's own, of that source, not archived, and in the plan", async () => {
    const events = [identify("a@example.com", true)];
    const id = await createEmptyAudience(world.harbor, { dataSource: "segment" });
    await expectDomainError(ingestEvents(id, events, world.fern), "not_found");
    const byFile = await createEmptyAudience(world.harbor);
    await expectDomainError(ingestEvents(byFile, events), "invalid_transition", /data source is not Segment/);
    const archived = await createEmptyAudience(world.harbor, { dataSource: "segment", status: "archived" });
    await expectDomainError(ingestEvents(archived, events), "invalid_transition", /Archived audiences/);
    await world.subscribe("harbor", "professional");
    try {
      await expectDomainError(ingestEvents(id, events), "limit_reached", /enterprise plan/);
    } finally {
      await world.subscribe("harbor", "enterprise");
    }
  });
});
