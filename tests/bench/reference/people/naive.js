// As one would write it first: a CSV library, a hash for each address, and INSERT … ON CONFLICT by the thousand.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { parse } from "csv-parse";
import postgres from "postgres";

const [url, path] = process.argv.slice(2);
// postgres.js does not decode a Unix socket's folder in a URL, so the bench passes the host as well.
const sql = postgres(url, { host: process.env.DATABASE_HOST, max: 1, onnotice: () => undefined });
await sql`drop table if exists naive_people`;
await sql`create table naive_people (hash bytea primary key)`;
const add = async (hashes) =>
  sql`insert into naive_people select decode(hash, 'hex') from unnest(${hashes}::text[]) hash on conflict do nothing`;

let batch = [];
for await (const row of createReadStream(path).pipe(parse({ columns: true }))) {
  const address = normalise(row.Email);
  if (!address) continue;
  batch.push(createHash("sha256").update(address).digest("hex"));
  if (batch.length < 1000) continue;
  await add(batch);
  batch = [];
}
if (batch.length > 0) await add(batch);
const [{ count }] = await sql`select count(*) from naive_people`;
console.info(count);
await sql.end();

function normalise(value) {
  const address = value.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) return undefined;
  if (!address.endsWith("@gmail.com")) return address;
  return `${address.slice(0, -10).replace(/\+.*$/, "").replaceAll(".", "")}@gmail.com`;
}
