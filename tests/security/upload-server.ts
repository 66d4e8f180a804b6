import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type AudienceId, idSchema } from "#app/domain/ids.ts";
import { closeDatabase, database, openDatabase } from "#db/client.server.ts";
import { runningEmbeddedDatabase } from "#db/embedded.server.ts";
import { audiences } from "#db/schema/index.ts";
import { member, type TestMember } from "#tests/api/api.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/app-server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type Reply, type Sending, type SentFile, sendFiles, settledUpload, uploadIn } from "./sending-files.ts";

const madeSchema = z.object({ audience: z.object({ id: idSchema<AudienceId>() }) });

type Options = { environment?: Record<string, string>; temporary?: string };
type DataOptions = Options & { dataDir?: string };

/** One process of the app on a database of the test file's own, with a publisher who uploads by key. */
export function useUploadServer(options: DataOptions = {}) {
  const db = useDatabase();
  return useServer({ ...options, urlOf: async () => db.url(), given: () => db.url() });
}

/** The same with the database that the app brings along. */
export function useUploadServerWithDatabase({ dataDir: folder, ...options }: DataOptions = {}) {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), "endcap-data-"));
  async function urlOf() {
    const url = await runningEmbeddedDatabase(dataDir);
    if (!url) throw new Error("The app's database does not run");
    // Another port each time that it starts.
    await closeDatabase();
    openDatabase({ url });
    return url;
  }
  // The last that is done, after the app has stopped.
  afterAll(async () => {
    await closeDatabase();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return useServer({ ...options, dataDir, urlOf, given: () => undefined });
}

type Place = {
  dataDir?: string;
  /** The database that the app is given. */
  given: () => string | undefined;
  /** The one that it has once it runs. */
  urlOf: () => Promise<string>;
};

function useServer({ environment = {}, temporary: folder, dataDir, given, urlOf }: Options & Place) {
  const temporary = folder ?? mkdtempSync(join(tmpdir(), "endcap-temporary-"));
  shareCompiled(temporary);
  const started: AppServer[] = [];
  let [publisher, url, seen]: [TestMember | undefined, string, number] = [undefined, "", 0];

  beforeAll(async () => {
    await start(await freePort());
    publisher = await member("publisher");
  }, 180_000);
  afterAll(async () => {
    await started.at(-1)?.stop();
    if (!folder) rmSync(temporary, { recursive: true, force: true });
  });

  /** The process anew, as after its end. */
  async function start(port: number): Promise<void> {
    const always = { RATE_LIMITS: "off", DEMO_DATA: "off", LOG_LEVEL: "info", TMPDIR: temporary };
    const databaseUrl = given();
    const server = { dataDir, databaseUrl, port, environment: { ...always, ...environment } };
    started.push(await startAppServer(server));
    url = await urlOf();
  }
  const server = () => there(started.at(-1));
  const headers = () => there(publisher).byKey.headers;
  const output = () => started.map((one) => one.output()).join("");

  async function makeAudience(more: object = {}): Promise<AudienceId> {
    const made = await ask("POST /api/audiences", { name: "Loyal", segment: "high-value", ...more });
    return madeSchema.parse(made.body).audience.id;
  }

  async function rowOf(id: AudienceId) {
    const [row] = await database().select().from(audiences).where(eq(audiences.id, id));
    return there(row);
  }

  /** A call by the publisher's key, over HTTP. */
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

  type Given = Partial<Sending> & { audienceId: AudienceId; mode?: string; files: readonly SentFile[] };

  function send({ audienceId, mode, ...more }: Given): Promise<Reply | undefined> {
    return sendFiles(server().origin, {
      path: `/api/audiences/${audienceId}/uploads`,
      headers: headers(),
      fields: mode ? { mode } : {},
      ...more,
    });
  }

  /** Sends files and waits for the end of it. */
  async function upload(sent: Given) {
    const reply = await send(sent);
    return settledUpload(server().origin, { id: uploadIn(reply).id, headers: headers() });
  }

  return {
    db: database,
    databaseUrl: () => url,
    temporary,
    start,
    server,
    publisher: () => there(publisher),
    headers,
    /** The publisher as a verb's actor, on the test's own connection. */
    ctx: (): Ctx<PublisherActor> => ({
      db: database(),
      actor: { kind: "publisher", accountId: there(publisher).accountId, userId: there(publisher).userId },
      clock: () => new Date(),
      door: "api",
      report: () => undefined,
    }),
    makeAudience,
    rowOf,
    ask,
    send,
    upload,
    /** What the app wrote, over all its starts. */
    output,
    /** The same since this was asked the last time. */
    newOutput: () => {
      const more = output().slice(seen);
      seen += more.length;
      return more;
    },
    /** What lies in the app's temporary folder, beside the loader's compiled modules. */
    leftovers: () =>
      readdirSync(temporary, { recursive: true, withFileTypes: true })
        .filter((one) => !one.isDirectory() && !/\btsx-\w+$/.test(one.name) && !/\btsx-\w+$/.test(one.parentPath))
        .map((one) => join(one.parentPath, one.name)),
  };
}

/** The loader's compiled modules, from its own temporary folder: to compile all anew takes a start half a minute. */
function shareCompiled(temporary: string): void {
  for (const name of readdirSync(tmpdir()).filter((one) => /^tsx-\w+$/.test(one))) {
    symlinkSync(join(tmpdir(), name), join(temporary, name), "dir");
  }
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("It is there from beforeAll on");
  return value;
}
