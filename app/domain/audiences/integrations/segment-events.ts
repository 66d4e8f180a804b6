import { z } from "zod";
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

/**
 * Extracts who entered and who left a Segment audience; the last of several events about a person counts. With `key`,
 * Segment's name of the audience, events about other audiences are ignored. `ignored` counts events that are about no
 * audience or no identifiable person. Reference: segment.com/docs, Engage Event Mapping.
 */
export function parseSegmentEvents({ events }: SegmentEvents, key?: string): Members & { ignored: number } {
  const last = new Map<string, { member: Member; entered: boolean }>();
  let ignored = 0;
  for (const event of events) {
    const entered = hasEntered(event, key);
    const member = extractMember(event);
    if (entered === undefined || !member) {
      ignored += 1;
      continue;
    }
    const who = `${member.email ?? ""} ${member.phone ?? ""}`.toLowerCase();
    last.set(who, { member, entered });
  }
  const of = (expectedKey: boolean) =>
    [...last.values()].filter(({ entered }) => entered === expectedKey).map(({ member }) => member);
  return { add: of(true), remove: of(false), ignored };
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

function extractMember({ traits, properties, context }: SegmentEvent): Member | undefined {
  const sources = [traits, context?.traits, properties];
  const email = sources.map((source) => textField(source, "email")).find(Boolean);
  if (email) return { email };
  const phone = sources.map((source) => textField(source, "phone")).find(Boolean);
  return phone ? { phone } : undefined;
}

/** Values longer than any valid identifier are ignored. */
function textField(source: Record<string, unknown> | undefined, name: string): string | undefined {
  const value = source?.[name];
  return typeof value === "string" && value.length <= 400 ? value.trim() : undefined;
}
