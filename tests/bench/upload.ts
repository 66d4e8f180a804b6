import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { UploadMode } from "#app/domain/audiences/audience.ts";
import type { BenchWorld } from "./support/bench-world.ts";

const audienceAnswer = z.object({ audience: z.object({ id: z.string() }) });
const uploadAnswer = z.object({
  upload: z.object({
    id: z.string(),
    status: z.enum(["running", "succeeded", "failed"]),
    error: z.string().nullable(),
    rows_read: z.number(),
    size: z.number().nullable(),
  }),
});

export type Uploaded = { audienceId: string; size: number; rows_read: number };

/** Uploads a file into a new audience over HTTP, and resolves when its version exists. */
export async function upload(world: BenchWorld, bytes: Buffer): Promise<Uploaded> {
  const form = JSON.stringify({ name: "Bench", segment: "high-value" });
  const created = await sendRequest(world, "/api/audiences", { type: "application/json", body: [Buffer.from(form)] });
  const { id } = audienceAnswer.parse(JSON.parse(created)).audience;
  return uploadTo(world, id, { bytes, mode: "add" });
}

/** Uploads a file into an audience, and resolves when the upload has ended. */
export async function uploadTo(
  world: BenchWorld,
  audienceId: string,
  { bytes, mode }: { bytes: Buffer; mode: UploadMode },
): Promise<Uploaded> {
  const sent = await sendRequest(world, `/api/audiences/${audienceId}/uploads`, asForm("people.csv", bytes, { mode }));
  let report = uploadAnswer.parse(JSON.parse(sent)).upload;
  while (report.status === "running") {
    await sleep(10);
    report = uploadAnswer.parse(JSON.parse(await sendRequest(world, `/api/uploads/${report.id}`))).upload;
  }
  if (report.size === null) throw new Error(report.error ?? "the upload failed");
  return { audienceId, size: report.size, rows_read: report.rows_read };
}

type Sent = { type: string; body: readonly Buffer[] };

/** Returns the body of a form with one file, after these fields. */
export function asForm(name: string, bytes: Buffer, fields: Record<string, string> = {}): Sent {
  const line = "a-line-that-is-in-no-file";
  const values = Object.entries(fields).map(
    ([field, value]) => `--${line}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `${values.join("")}--${line}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${line}`,
    body: [Buffer.from(head), bytes, Buffer.from(`\r\n--${line}--\r\n`)],
  };
}

/** Sends the request on a new connection, because the server closes idle ones while a reference is measured. */
export async function sendRequest({ server, cookies }: BenchWorld, path: string, sent?: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = sent?.body.reduce((sum, part) => sum + part.length, 0);
    const headers = { cookie: cookies.publisher, ...(sent && { "content-type": sent.type, "content-length": length }) };
    const clientRequest = request(server.origin + path, { method: sent ? "POST" : "GET", headers, agent: false });
    clientRequest.on("error", reject);
    clientRequest.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => ((response.statusCode ?? 500) < 300 ? resolve(text) : reject(new Error(text))));
    });
    for (const part of sent?.body ?? []) clientRequest.write(part);
    clientRequest.end();
  });
}
