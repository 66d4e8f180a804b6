import type { Member } from "./member-payloads.ts";
import { type Identifier, readIdentifier, type Unread } from "./members/read-identifier.ts";

/** The first of a member's fields that holds something, read by the field's rules; undefined when none does. */
export function readMember(member: Member, country: string | undefined): Identifier | Unread | undefined {
  return (
    readIdentifier(member.email ?? "", { type: "email" }) ??
    readIdentifier(member.email_sha256 ?? "", { type: "email", hashed: true }) ??
    readIdentifier(member.phone ?? "", { type: "phone", country }) ??
    readIdentifier(member.phone_sha256 ?? "", { type: "phone", hashed: true, country })
  );
}
