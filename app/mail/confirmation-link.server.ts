import { z } from "zod";
import { idSchema, type MailId } from "#app/domain/ids.ts";
import { sign, unsign } from "#app/web/signed-value.server.ts";

const purpose = "email confirmation";
const schema = z.object({ mail: idSchema<MailId>() });

/** Returns the query of the link that proves that the mail arrived: nobody else can know it. */
export function confirmationQuery(id: MailId): string {
  return `token=${encodeURIComponent(sign(purpose, { mail: id }))}`;
}

/** Returns the mail of a confirmation's token; undefined for an invalid one. */
export function parseConfirmationToken(token: string): MailId | undefined {
  return unsign(purpose, token, schema)?.mail;
}
