import { z } from "zod";
import { type ConsentScope, detectConsentColumn } from "#app/domain/audiences/consent/consent-columns.ts";
import { readConsent } from "#app/domain/audiences/consent/consent-values.ts";
import { headerKey } from "#app/domain/audiences/consent/header-key.ts";
import type { Member, Members } from "#app/domain/audiences/member-payloads.ts";

/** The largest batch that Segment sends (Webhooks (Actions), batch size limits). */
const maxSegmentEvents = 4_000;

const values = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** The fields of an event that are read. All other fields are dropped; a field of another type is treated as absent. */
const eventSchema = z.object({
  type: z.string("Send Segment identify or track events"),
  event: z.string().optional().catch(undefined),
  traits: values,
  properties: values,
  context: z
    .object({
      traits: values,
      personas: z
        .object({ computation_key: z.string(), computation_class: z.string().optional().catch(undefined) })
        .optional()
        .catch(undefined),
      consent: z.object({ categoryPreferences: values }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
type SegmentEvent = z.output<typeof eventSchema>;

/** `POST /api/audiences/{id}/segment`: one event as Segment sends it, or a list of events. */
export const segmentEventsSchema = z.union(
  [
    z.object({
      events: z
        .array(eventSchema)
        .min(1, "Send at least one event")
        .max(maxSegmentEvents, `Send up to ${maxSegmentEvents.toLocaleString("en-US")} events per request`),
    }),
    eventSchema.transform((event) => ({ events: [event] })),
  ],
  "Send Segment identify or track events",
);
export type SegmentEvents = z.output<typeof segmentEventsSchema>;

type Change = { add: Identifier | undefined; remove: Identifier[]; optedOut: boolean };

/**
 * Extracts who entered and who left a Segment audience; the last of several events about an identifier counts. With
 * `key`, Segment's name of the audience, events about other audiences are ignored. Who opted out is removed instead of
 * added. `ignored` counts events that are about no audience or no identifiable person, `optedOut` people who entered
 * and are left out. Reference: segment.com/docs, Engage Event Mapping and Consent Management.
 */
export function parseSegmentEvents(
  { events }: SegmentEvents,
  key?: string,
): Members & { ignored: number; optedOut: number } {
  const add = new Map<string, Member>();
  const remove = new Map<string, Member>();
  const optedOut = new Set<string>();
  let ignored = 0;
  for (const event of events) {
    const entered = hasEntered(event, key);
    const person = extractPerson(event);
    const [first] = person;
    if (entered === undefined || !first) {
      ignored += 1;
      continue;
    }
    for (const earlier of [add, remove, optedOut]) for (const identifier of person) earlier.delete(keyOf(identifier));
    const change = toChange(person, entered, findOptOuts(event, key));
    if (change.add) add.set(keyOf(change.add), toMember(change.add));
    for (const identifier of change.remove) remove.set(keyOf(identifier), toMember(identifier));
    if (change.optedOut) optedOut.add(keyOf(first));
  }
  return { add: [...add.values()], remove: [...remove.values()], ignored, optedOut: optedOut.size };
}

function keyOf({ value }: Identifier): string {
  return value.toLowerCase();
}

/**
 * A person is added by the first identifier that nothing is said against; identifiers that were opted out are removed.
 * Who leaves is removed by every identifier, because the one by which they entered is not known.
 */
function toChange(person: Identifier[], entered: boolean, out: ReadonlySet<ConsentScope>): Change {
  if (!entered) return { add: undefined, remove: person, optedOut: false };
  const isOut = ({ type }: Identifier) => out.has("person") || out.has(type);
  const add = person.find((identifier) => !isOut(identifier));
  return { add, remove: person.filter(isOut), optedOut: !add };
}

function toMember({ type, value }: Identifier): Member {
  return type === "email" ? { email: value } : { phone: value };
}

/**
 * The categories of Segment's consent object that using someone's data for ads belongs to; accounts choose the names.
 */
const adCategories = /advert|marketing|target|personali[sz]|retarget|datashar|thirdpart/;

/**
 * Returns what the event says no about: in its consent object, or in a trait with the name of a column about consent.
 * The trait of the audience itself is none of them.
 */
function findOptOuts({ traits, properties, context }: SegmentEvent, expectedKey?: string): ReadonlySet<ConsentScope> {
  const found = new Set<ConsentScope>();
  for (const [category, allowed] of Object.entries(context?.consent?.categoryPreferences ?? {}))
    if (allowed === false && adCategories.test(headerKey(category))) found.add("person");
  const ownKey = context?.personas?.computation_key ?? textField(properties, "audience_key") ?? expectedKey;
  for (const [name, value] of [traits, context?.traits, properties].flatMap((fields) => Object.entries(fields ?? {}))) {
    const column = name === ownKey ? undefined : detectConsentColumn(name, 0);
    const isAnswer = value === null || ["string", "boolean", "number"].includes(typeof value);
    if (column && isAnswer && readConsent(column.kind, String(value ?? "")) !== "in") found.add(column.scope);
  }
  return found;
}

/**
 * An identify call has the audience's key among its traits, a track call among its properties; the value is a boolean.
 */
function hasEntered(
  { type, event, traits, properties, context }: SegmentEvent,
  expectedKey?: string,
): boolean | undefined {
  if (type !== "identify" && type !== "track") return undefined;
  const { computation_key: computed, computation_class: kind } = context?.personas ?? {};
  if (kind !== undefined && kind !== "audience") return undefined;
  const fields = type === "identify" ? traits : properties;
  const key = computed ?? textField(fields, "audience_key") ?? (type === "identify" ? expectedKey : undefined);
  if (expectedKey !== undefined && key !== expectedKey) return undefined;
  const value = key === undefined ? undefined : fields?.[key];
  if (typeof value === "boolean") return value;
  if (type === "identify") return undefined;
  return event === "Audience Entered" ? true : event === "Audience Exited" ? false : undefined;
}

type Identifier = { type: "email" | "phone"; value: string };

/** Returns a person's identifiers, the email address first. */
function extractPerson({ traits, properties, context }: SegmentEvent): Identifier[] {
  const sources = [traits, context?.traits, properties];
  return (["email", "phone"] as const).flatMap((type) => {
    const value = sources.map((source) => textField(source, type)).find(Boolean);
    return value ? [{ type, value }] : [];
  });
}

/** Values longer than any valid identifier are ignored. */
function textField(source: Record<string, unknown> | undefined, name: string): string | undefined {
  const value = source?.[name];
  return typeof value === "string" && value.length <= 400 ? value.trim() : undefined;
}
