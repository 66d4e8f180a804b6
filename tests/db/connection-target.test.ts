import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { isDatabaseTrouble } from "#app/web/database-trouble.server.ts";
import { connectionTarget, withRootCertificate } from "#db/connection-target.server.ts";
import { waitForDatabase } from "#db/connection-traits.server.ts";
import { connect, postgres } from "#db/driver.server.ts";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "#db/embedded.server.ts";
import { openWorkerPool } from "#db/worker-pool.server.ts";
import { tcpUrl } from "#tests/support/database/tcp-url.ts";

const url = "postgres://endcap:secret@db.example.com:5432/endcap";

test("the parameters about TLS are taken out of the URL, and others stay", () => {
  const target = connectionTarget(`${url}?sslmode=require&application_name=x&sslrootcert=`);
  expect(target.url).toBe(`${url}?application_name=x`);
  expect(target.tls).toMatchObject({ rejectUnauthorized: false });
});

test.each([
  ["sslmode=maybe", /sslmode=maybe is not one of disable, prefer, require, verify-ca, verify-full/],
  ["sslmode=verify-ca", /requires the certificate authority's file/],
  ["sslmode=require&sslrootcert=system", /requires sslmode=verify-full/],
  ["sslmode=verify-full&sslrootcert=/nowhere/ca.pem", /the file of sslrootcert, \/nowhere\/ca.pem, cannot be read/],
])("%s is rejected with its reason", (query, reason) => {
  expect(() => connectionTarget(`${url}?${query}`)).toThrow(reason);
});

test("a certificate authority's file means verify-full unless the URL says otherwise", () => {
  expect(withRootCertificate(url, undefined)).toBe(url);
  expect(withRootCertificate(url, "/ca.pem")).toBe(`${url}?sslrootcert=%2Fca.pem&sslmode=verify-full`);
  expect(withRootCertificate(`${url}?sslmode=verify-ca`, "/ca.pem")).toContain("sslmode=verify-ca&sslrootcert=");
  for (const own of ["?sslmode=disable", "?sslmode=require&sslrootcert=/own.pem"]) {
    expect(withRootCertificate(url + own, "/ca.pem")).toBe(url + own);
  }
});

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!hasOpenssl)("with a PostgreSQL that offers TLS (needs openssl)", () => {
  let folder: string;
  let database: EmbeddedDatabase;
  let admin: Sql;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "endcap-tls-"));
    for (const authority of ["ca", "other"]) makeAuthority(folder, authority);
    database = await startEmbeddedDatabase({ dataDir: join(folder, "data") });
    admin = postgres(database.url, { max: 1, onnotice: () => undefined });
  });
  afterAll(async () => {
    await admin.end();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["no TLS", "", "plain"],
    ["no TLS", "sslmode=disable", "plain"],
    ["no TLS", "sslmode=prefer", "plain"],
    ["no TLS", "sslmode=require", "refused"],
    ["its host", "", "encrypted"],
    ["its host", "sslmode=disable", "plain"],
    ["its host", "sslmode=require", "encrypted"],
    ["its host", "sslmode=require&sslrootcert=ca", "encrypted"],
    ["its host", "sslmode=require&sslrootcert=other", "refused"],
    ["its host", "sslmode=verify-ca&sslrootcert=ca", "encrypted"],
    ["its host", "sslmode=verify-ca&sslrootcert=other", "refused"],
    ["its host", "sslmode=verify-full&sslrootcert=ca", "encrypted"],
    ["its host", "sslmode=verify-full", "refused"],
    ["another host", "sslmode=require", "encrypted"],
    ["another host", "sslmode=verify-ca&sslrootcert=ca", "encrypted"],
    ["another host", "sslmode=verify-full&sslrootcert=ca", "refused"],
  ])("a certificate for %s and '%s': both drivers are %s", async (certificate, query, expected) => {
    await installCertificate(certificate);
    const target = new URL(tcpUrl(database.url));
    for (const [name, value] of new URLSearchParams(query)) {
      target.searchParams.set(name, name === "sslrootcert" ? join(folder, `${value}.pem`) : value);
    }
    expect([await throughOurDriver(target.href), await throughTheWorkers(target.href)]).toEqual([expected, expected]);
  });

  let current = "no TLS";

  async function installCertificate(wanted: string): Promise<void> {
    if (wanted === current) return;
    current = wanted;
    if (wanted !== "no TLS") {
      const host = wanted === "its host" ? "IP:127.0.0.1" : "DNS:other.example.com";
      for (const [name, pem] of Object.entries(makeCertificate(folder, host))) {
        // The file has to belong to PostgreSQL's user.
        const text = Buffer.from(pem).toString("base64");
        await admin.unsafe(`copy (select '${text}') to program 'umask 077; base64 -d > ${name}'`);
      }
    }
    await admin.unsafe(`alter system set ssl = ${wanted === "no TLS" ? "off" : "on"}`);
    await admin`select pg_reload_conf()`;
    await admin`select pg_sleep(0.3)`;
  }
});

const encryptedRow = z.array(z.object({ ssl: z.boolean() })).length(1);
const question = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";

async function throughOurDriver(url: string): Promise<string> {
  const sql = connect(url, { max: 1, connect_timeout: 3, onnotice: () => undefined });
  try {
    return encryptedRow.parse(await sql.unsafe(question))[0]?.ssl ? "encrypted" : "plain";
  } catch {
    return "refused";
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function throughTheWorkers(url: string): Promise<string> {
  const { pool } = await openWorkerPool(url, { max: 1 });
  try {
    return encryptedRow.parse((await pool.query(question)).rows)[0]?.ssl ? "encrypted" : "plain";
  } catch {
    return "refused";
  } finally {
    await pool.end();
  }
}

function openssl(folder: string, ...args: string[]): void {
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
}

function makeAuthority(folder: string, name: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", `${name}.key`];
  openssl(folder, "req", "-x509", ...key, "-out", `${name}.pem`, "-days", "2", "-subj", `/CN=${name}`);
}

/** Returns PostgreSQL's key and certificate for a host, signed by `ca`. */
function makeCertificate(folder: string, host: string): Record<string, string> {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "server.key"];
  openssl(folder, "req", ...key, "-out", "server.csr", "-subj", "/CN=database");
  writeFileSync(join(folder, "names"), `subjectAltName=${host}`);
  const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
  openssl(folder, "x509", "-req", "-in", "server.csr", ...by, "-out", "server.crt");
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { "server.key": read("server.key"), "server.crt": read("server.crt") };
}

test("the folder of a Unix socket as host: both drivers connect, whatever sslmode says", async () => {
  const clusterUrl = new URL(inject("clusterUrl"));
  expect(decodeURIComponent(clusterUrl.hostname)).toMatch(/^\//);
  clusterUrl.searchParams.set("sslmode", "require");
  expect(connectionTarget(clusterUrl.href).tls).toBe(false);
  const sql = connect(clusterUrl.href, { max: 1 });
  const { pool } = await openWorkerPool(clusterUrl.href, { max: 1 });
  const query = "select inet_client_addr() is null as local";
  try {
    expect(await sql.unsafe(query)).toEqual([{ local: true }]);
    expect((await pool.query(query)).rows).toEqual([{ local: true }]);
  } finally {
    await Promise.all([sql.end(), pool.end()]);
  }
});

test("a Unix socket that is not there refuses, as a port where nobody listens: a request gets 503, a start waits", async () => {
  const folder = mkdtempSync(join(tmpdir(), "endcap-no-socket-"));
  const absent = `postgres://endcap:secret@${encodeURIComponent(folder)}:5432/endcap`;
  const sql = connect(absent, { max: 1 });
  try {
    const failure: unknown = await sql`select 1`.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "ECONNREFUSED", syscall: "connect" });
    expect(isDatabaseTrouble(failure)).toBe(true);
    const started = Date.now();
    await waitForDatabase(absent, { seconds: 1, setting: "DATABASE_URL" });
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
  } finally {
    await sql.end({ timeout: 0 });
    rmSync(folder, { recursive: true });
  }
});
