import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type AudienceId, idSchema } from "#app/domain/ids.ts";
import { audiences } from "#db/schema/index.ts";
import { member, type TestMember } from "#tests/api/api.ts";
import { type AppServer, freePort, startAppServer } from "#tests/support/app-server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type Reply, type Sending, type SentFile, sendFiles, settledUpload, uploadIn } from "./sending-files.ts";

const madeSchema = z.object({ audience: z.object({ id: idSchema<AudienceId>() }) });

type Options = { environment?: Record<string, string>; temporary?: string };

/** One process of the app on a database of the test file's own, with a publisher who uploads by key. */
export function useUploadServer({ environment = {}, temporary: given }: Options = {}) {
  const db = useDatabase();
  const temporary = given ?? mkdtempSync(join(tmpdir(), "endcap-temporary-"));
  let server: AppServer | undefined;
  let seen = 0;
  let publisher: TestMember | undefined;

  beforeAll(async () => {
    await start(await freePort());
    publisher = await member("publisher");
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    if (!given) rmSync(temporary, { recursive: true, force: true });
  });

  /** The process anew, as after its end. */
  async function start(port: number): Promise<AppServer> {
    server = await startAppServer({
      databaseUrl: db.url(),
      port,
      environment: { RATE_LIMITS: "off", LOG_LEVEL: "info", TMPDIR: temporary, ...environment },
    });
    return server;
  }
  const running = () => there(server);
  const headers = () => there(publisher).byKey.headers;

  async function makeAudience(): Promise<AudienceId> {
    const made = await ask("POST /api/audiences", { name: "Loyal", segment: "high-value" });
    return madeSchema.parse(made.body).audience.id;
  }

  async function rowOf(id: AudienceId) {
    const [row] = await db().select().from(audiences).where(eq(audiences.id, id));
    return there(row);
  }

  /** A call by the publisher's key, over HTTP. */
  async function ask(call: string, body?: unknown) {
    const [method = "", path = ""] = call.split(" ");
    const answer = await fetch(running().origin + path, {
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
    return sendFiles(running().origin, {
      path: `/api/audiences/${audienceId}/uploads`,
      headers: headers(),
      fields: mode ? { mode } : {},
      ...more,
    });
  }

  /** Sends files and waits for the end of it. */
  async function upload(given: Given) {
    const reply = await send(given);
    return settledUpload(running().origin, { id: uploadIn(reply).id, headers: headers() });
  }

  return {
    db,
    temporary,
    start,
    server: running,
    publisher: () => there(publisher),
    headers,
    /** The publisher as a verb's actor, on the test's own connection. */
    ctx: (): Ctx<PublisherActor> => ({
      db: db(),
      actor: { kind: "publisher", accountId: there(publisher).accountId, userId: there(publisher).userId },
      clock: () => new Date(),
      door: "api",
    }),
    makeAudience,
    rowOf,
    ask,
    send,
    upload,
    /** What the app wrote since this was asked the last time. */
    newOutput: () => {
      const output = running().output().slice(seen);
      seen += output.length;
      return output;
    },
    /** What lies in the app's temporary folder, beside the loader's compiled modules. */
    leftovers: () =>
      readdirSync(temporary, { recursive: true, withFileTypes: true })
        .filter((one) => !one.isDirectory() && !/\/tsx-\d+$/.test(one.parentPath))
        .map((one) => join(one.parentPath, one.name)),
  };
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("It is there from beforeAll on");
  return value;
}
