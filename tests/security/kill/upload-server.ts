import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type AudienceId, idSchema } from "#app/domain/ids.ts";
import { closeDatabase, database, openDatabase } from "#db/client.server.ts";
import { findEmbeddedDatabaseUrl } from "#db/embedded.server.ts";
import { audiences } from "#db/schema/index.ts";
import { member, type TestMember } from "#tests/api/api.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/servers/app-server.ts";
import { type Reply, type Sending, type SentFile, sendFiles, settledUpload, uploadIn } from "./sending-files.ts";

const madeSchema = z.object({ audience: z.object({ id: idSchema<AudienceId>() }) });

type Options = { environment?: Record<string, string>; temporary?: string };
type DataOptions = Options & { dataDir?: string };

/** Runs one app process on a database of the test file's own, with a publisher who uploads with an API key. */
export function useUploadServer(options: DataOptions = {}) {
  const db = useDatabase();
  return useServer({ ...options, urlOf: async () => db.ownerUrl(), given: () => db.ownerUrl() });
}

/** The same with the app's embedded database. */
export function useUploadServerWithDatabase({ dataDir: folder, ...options }: DataOptions = {}) {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), "endcap-data-"));
  async function urlOf() {
    const url = await findEmbeddedDatabaseUrl(dataDir);
    if (!url) throw new Error("The app's database does not run");
    // The port differs after each start.
    await closeDatabase();
    openDatabase({ url });
    return url;
  }
  // Runs last, after the app has stopped.
  afterAll(async () => {
    await closeDatabase();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return useServer({ ...options, dataDir, urlOf, given: () => undefined });
}

type ServerOptions = {
  dataDir?: string;
  /** Returns the DATABASE_URL of the app; undefined for the embedded database. */
  given: () => string | undefined;
  /** Returns the URL of the database once the app runs. */
  urlOf: () => Promise<string>;
};

function useServer({ environment = {}, temporary: folder, dataDir, given, urlOf }: Options & ServerOptions) {
  const temporary = folder ?? mkdtempSync(join(tmpdir(), "endcap-temporary-"));
  shareCompiled(temporary);
  const started: AppServer[] = [];
  // A test that timed out may still be starting one.
  const ending = new AbortController();
  let starting: Promise<unknown> = Promise.resolve();
  let [publisher, url, seen]: [TestMember | undefined, string, number] = [undefined, "", 0];

  beforeAll(async () => {
    await start(await freePort());
    publisher = await member("publisher");
  }, 180_000);
  afterAll(async () => {
    ending.abort();
    await starting.catch(() => undefined);
    await started.at(-1)?.stop();
    if (!folder) rmSync(temporary, { recursive: true, force: true });
  });

  /** Restarts the process. */
  async function start(port: number): Promise<void> {
    const always = { RATE_LIMITS: "off", DEMO_DATA: "off", LOG_LEVEL: "info", TMPDIR: temporary };
    const databaseUrl = given();
    const server = { dataDir, databaseUrl, port, environment: { ...always, ...environment } };
    const startingOne = startAppServer({ ...server, signal: ending.signal });
    starting = startingOne;
    started.push(await startingOne);
    url = await urlOf();
  }
  const server = () => requirePresent(started.at(-1));
  const headers = () => requirePresent(publisher).byKey.headers;
  const output = () => started.map((one) => one.output()).join("");

  async function makeAudience(more: object = {}): Promise<AudienceId> {
    const made = await ask("POST /api/audiences", { name: "Loyal", segment: "high-value", ...more });
    return madeSchema.parse(made.body).audience.id;
  }

  async function rowOf(id: AudienceId) {
    const [row] = await database().select().from(audiences).where(eq(audiences.id, id));
    return requirePresent(row);
  }

  /** Sends an API request with the publisher's key. */
  async function ask(call: string, body?: unknown) {
    const [method = "", path = ""] = call.split(" ");
    const answer = await fetch(server().origin + path, {
      method,
      headers: { ...headers(), "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    const parsed: unknown = JSON.parse(text);
    return { status: answer.status, text, body: parsed };
  }

  type UploadInput = Partial<Sending> & { audienceId: AudienceId; mode?: string; files: readonly SentFile[] };

  function send({ audienceId, mode, ...more }: UploadInput): Promise<Reply | undefined> {
    return sendFiles(server().origin, {
      path: `/api/audiences/${audienceId}/uploads`,
      headers: headers(),
      fields: mode ? { mode } : {},
      ...more,
    });
  }

  /** Uploads files and waits until the import has ended. */
  async function upload(sent: UploadInput) {
    const reply = await send(sent);
    return settledUpload(server().origin, { id: uploadIn(reply).id, headers: headers() });
  }

  return {
    db: database,
    databaseUrl: () => url,
    temporary,
    start,
    server,
    publisher: () => requirePresent(publisher),
    headers,
    /** The publisher as the actor of a verb, on the test's own connection. */
    ctx: (): Ctx<PublisherActor> => ({
      db: database(),
      actor: {
        kind: "publisher",
        accountId: requirePresent(publisher).accountId,
        userId: requirePresent(publisher).userId,
      },
      clock: () => new Date(),
      entrypoint: "api",
      report: () => undefined,
    }),
    makeAudience,
    rowOf,
    ask,
    send,
    upload,
    /** Returns the app's output, over all its starts. */
    output,
    /** Returns the output since the last call. */
    newOutput: () => {
      const more = output().slice(seen);
      seen += more.length;
      return more;
    },
    /** Returns the files in the app's temporary folder, without the loader's compiled modules. */
    leftovers: () =>
      readdirSync(temporary, { recursive: true, withFileTypes: true })
        .filter((one) => !one.isDirectory() && !/\btsx-\w+$/.test(one.name) && !/\btsx-\w+$/.test(one.parentPath))
        .map((one) => join(one.parentPath, one.name)),
  };
}

/** Shares the loader's compiled modules with the app's temporary folder: compiling them again takes half a minute. */
function shareCompiled(temporary: string): void {
  for (const name of readdirSync(tmpdir()).filter((one) => /^tsx-\w+$/.test(one))) {
    symlinkSync(join(tmpdir(), name), join(temporary, name), "dir");
  }
}

function requirePresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("It is there from beforeAll on");
  return value;
}
