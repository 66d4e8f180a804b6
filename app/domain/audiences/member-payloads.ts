import { z } from "zod";

/** The most items of one call, additions and removals together. */
export const mostMembers = 10_000;

const value = z.string("Enter text").max(400, "Use at most 400 characters").optional();

/** One person by one identifier. Unknown fields are dropped; which of the four is there is for the verb to say. */
const memberSchema = z.object({ email: value, email_sha256: value, phone: value, phone_sha256: value });
export type Member = z.output<typeof memberSchema>;

const many = z
  .array(memberSchema)
  .max(mostMembers, `Send at most ${mostMembers.toLocaleString("en-US")} at once`)
  .default([]);

/** `POST /api/audiences/{id}/members`. */
export const membersSchema = z
  .object({ add: many, remove: many })
  .refine(({ add, remove }) => add.length + remove.length <= mostMembers, {
    path: ["add"],
    message: `Send at most ${mostMembers.toLocaleString("en-US")} at once`,
  })
  .refine(({ add, remove }) => add.length + remove.length > 0, { path: ["add"], message: "Send at least one" });
export type Members = z.output<typeof membersSchema>;

/** `POST /api/erasures`. */
export const erasureSchema = z.object({
  identifiers: z
    .array(z.string("Enter text").max(400, "Use at most 400 characters"), "Send a list")
    .min(1, "Send at least one")
    .max(mostMembers, `Send at most ${mostMembers.toLocaleString("en-US")} at once`),
});

/** JSON lines: each is a member with `"op": "add"` (or none) or `"op": "remove"`. */
export function linesOfMembers(lines: unknown[]): unknown {
  const isRemoval = (line: unknown) =>
    typeof line === "object" && line !== null && Reflect.get(line, "op") === "remove";
  return { add: lines.filter((line) => !isRemoval(line)), remove: lines.filter(isRemoval) };
}
