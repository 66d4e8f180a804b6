import { z } from "zod";

/** The maximum number of people per request, additions and removals together. */
export const maxMembersPerRequest = 10_000;

const value = z.string("Enter text").max(400, "Use at most 400 characters").optional();

/**
 * One person, identified by one of the four fields. Unknown fields are dropped; the verb checks which field is present.
 */
const memberSchema = z.object(
  { email: value, email_sha256: value, phone: value, phone_sha256: value },
  "Send each person as an object with email, email_sha256, phone or phone_sha256",
);
export type Member = z.output<typeof memberSchema>;

const memberList = z
  .array(memberSchema, "Send an array")
  .max(maxMembersPerRequest, `Send up to ${maxMembersPerRequest.toLocaleString("en-US")} people per request`)
  .default([]);

/** `POST /api/audiences/{id}/members`. */
export const membersSchema = z
  .object({ add: memberList, remove: memberList })
  .refine(({ add, remove }) => add.length + remove.length <= maxMembersPerRequest, {
    path: ["add"],
    message: `Send up to ${maxMembersPerRequest.toLocaleString("en-US")} people per request`,
  })
  .refine(({ add, remove }) => add.length + remove.length > 0, { path: ["add"], message: "Send at least one person" });
export type Members = z.output<typeof membersSchema>;

/** `POST /api/erasures`. */
export const erasureSchema = z.object({
  identifiers: z
    .array(z.string("Enter text").max(400, "Use at most 400 characters"), "Send an array")
    .min(1, "Send at least one person")
    .max(maxMembersPerRequest, `Send up to ${maxMembersPerRequest.toLocaleString("en-US")} people per request`),
});

/**
 * Converts JSON lines to a members payload: each line is a member with `"op": "remove"`, or with `"op": "add"` or no
 * `op`.
 */
export function membersFromJsonLines(lines: unknown[]): unknown {
  const isRemoval = (line: unknown) =>
    typeof line === "object" && line !== null && Reflect.get(line, "op") === "remove";
  return { add: lines.filter((line) => !isRemoval(line)), remove: lines.filter(isRemoval) };
}
