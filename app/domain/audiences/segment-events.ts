import { z } from "zod";
import type { Member, Members } from "./member-payloads.ts";

/** The most events that Segment sends at once (Webhooks (Actions), Batch size limits). */
const mostSegmentEvents = 4_000;

const values = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** What is read of an event; everything else in it is dropped, and what has another shape is taken as absent. */
const eventSchema = z.object({
  type: z.string("Send Segment's events"),
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
    })
    .optional()
    .catch(undefined),
});
type SegmentEvent = z.output<typeof eventSchema>;

/** `POST /api/audiences/{id}/segment`: events as Segment sends them, one, or several as a list. */
export const segmentEventsSchema = z.union(
  [
    z.object({
      events: z
        .array(eventSchema)
        .min(1, "Send at least one event")
        .max(mostSegmentEvents, `Send at most ${mostSegmentEvents.toLocaleString("en-US")} events at once`),
    }),
    eventSchema.transform((event) => ({ events: [event] })),
  ],
  "Send Segment's events",
);
export type SegmentEvents = z.output<typeof segmentEventsSchema>;

/**
 * Who entered an audience of Segment and who left it; of several events about a person the last counts. `key`, Segment's
 * name for an audience, passes over the events of others. `ignored` counts events that say nothing of that, or of nobody. Written to
 * segment.com/docs: Engage Event Mapping.
 */
export function readSegmentEvents({ events }: SegmentEvents, key?: string): Members & { ignored: number } {
  const last = new Map<string, { member: Member; entered: boolean }>();
  let ignored = 0;
  for (const event of events) {
    const entered = hasEntered(event, key);
    const member = memberOf(event);
    if (entered === undefined || !member) {
      ignored += 1;
      continue;
    }
    const who = `${member.email ?? ""} ${member.phone ?? ""}`.toLowerCase();
    last.set(who, { member, entered });
  }
  const of = (wanted: boolean) =>
    [...last.values()].filter(({ entered }) => entered === wanted).map(({ member }) => member);
  return { add: of(true), remove: of(false), ignored };
}

/** An identify call has the audience's key among the traits, a track call among the properties; both as true or false. */
function hasEntered({ type, event, traits, properties, context }: SegmentEvent, wanted?: string): boolean | undefined {
  if (type !== "identify" && type !== "track") return undefined;
  const { computation_key: computed, computation_class: kind } = context?.personas ?? {};
  if (kind !== undefined && kind !== "audience") return undefined;
  const stated = type === "identify" ? traits : properties;
  const key = computed ?? textIn(stated, "audience_key") ?? (type === "identify" ? wanted : undefined);
  if (wanted !== undefined && key !== wanted) return undefined;
  const value = key === undefined ? undefined : stated?.[key];
  if (typeof value === "boolean") return value;
  if (type === "identify") return undefined;
  return event === "Audience Entered" ? true : event === "Audience Exited" ? false : undefined;
}

function memberOf({ traits, properties, context }: SegmentEvent): Member | undefined {
  const places = [traits, context?.traits, properties];
  const email = places.map((place) => textIn(place, "email")).find(Boolean);
  if (email) return { email };
  const phone = places.map((place) => textIn(place, "phone")).find(Boolean);
  return phone ? { phone } : undefined;
}

/** Longer than any address is none. */
function textIn(place: Record<string, unknown> | undefined, name: string): string | undefined {
  const value = place?.[name];
  return typeof value === "string" && value.length <= 400 ? value.trim() : undefined;
}
