import type { Member } from "./member-payloads.ts";
import { type Identifier, type InvalidIdentifier, parseIdentifier } from "./members/parse-identifier.ts";

/**
 * Parses the first field of a member that is valid, as the row of a file counts by its phone number when its email
 * address is invalid. Returns the problem of the first field that is not blank if none is valid; undefined when all are
 * blank.
 */
export function parseMember(member: Member, country: string | undefined): Identifier | InvalidIdentifier | undefined {
  const parsed = [
    parseIdentifier(member.email ?? "", { type: "email" }),
    parseIdentifier(member.email_sha256 ?? "", { type: "email", hashed: true }),
    parseIdentifier(member.phone ?? "", { type: "phone", country }),
    parseIdentifier(member.phone_sha256 ?? "", { type: "phone", hashed: true, country }),
  ].filter((one) => one !== undefined);
  return parsed.find((one) => !("reason" in one)) ?? parsed[0];
}
