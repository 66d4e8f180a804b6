import type { Member } from "./member-payloads.ts";
import { type Identifier, type InvalidIdentifier, parseIdentifier } from "./members/parse-identifier.ts";

/** Parses the first field of a member that is not blank; returns undefined when all are. */
export function parseMember(member: Member, country: string | undefined): Identifier | InvalidIdentifier | undefined {
  return (
    parseIdentifier(member.email ?? "", { type: "email" }) ??
    parseIdentifier(member.email_sha256 ?? "", { type: "email", hashed: true }) ??
    parseIdentifier(member.phone ?? "", { type: "phone", country }) ??
    parseIdentifier(member.phone_sha256 ?? "", { type: "phone", hashed: true, country })
  );
}
