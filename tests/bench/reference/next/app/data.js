import { createHash } from "node:crypto";
import { cookies } from "next/headers";
import postgres from "postgres";

// postgres.js does not decode a Unix socket's folder in a URL, so the bench passes the host as well.
const { DATABASE_URL, DATABASE_HOST } = process.env;

/** The same look-up of the session and the same queries as the plain reference. */
export const sql = postgres(DATABASE_URL, { host: DATABASE_HOST, max: 10 });

export async function person() {
  const value = (await cookies()).get("portal_session")?.value ?? "";
  // As Remix writes a cookie that is not signed: JSON in base64. Next has decoded the percent signs already.
  const token = value && JSON.parse(atob(value));
  const hash = createHash("sha256").update(token).digest("hex");
  const [found] =
    await sql`select u.id, u.email, u.name, u.picture, a.type as user_type, a.status, a.company_name, a.id as account_id
    from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id where s.token_hash = ${hash} and s.expires_at > now()`;
  if (!found) throw new Error("no session");
  return found;
}
