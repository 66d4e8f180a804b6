import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { tryAcquireUploadSlot, type UploadSlotLease } from "#app/domain/audiences/files/upload-slots.server.ts";
import { listAudienceUploads } from "#app/domain/audiences/list-audience-versions.server.ts";
import { listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import { failUpload } from "#app/domain/audiences/uploads/fail-upload.server.ts";
import { uploadFailedOnOurSide } from "#app/domain/audiences/uploads/merge-upload.server.ts";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { retryHint, retryLaterHint } from "#app/domain/heartbeat.ts";
import { type AudienceId, parseId } from "#app/domain/ids.ts";
import * as create from "#app/screens/publisher/audiences/create/route.tsx";
import * as files from "#app/screens/publisher/audiences/upload/route.tsx";
import * as columns from "#app/screens/publisher/audiences/upload-columns/route.tsx";
import * as reportFile from "#app/screens/publisher/audiences/upload-report/csv.ts";
import * as report from "#app/screens/publisher/audiences/upload-report/route.tsx";
import * as state from "#app/screens/publisher/audiences/upload-report/status.ts";
import { audienceUploads } from "#db/schema/index.ts";
import { beginUpload, createEmptyAudience, people } from "#tests/domain/audiences/an-audience.ts";
import { workbookOf } from "#tests/sheets/support/workbook.ts";
import { useWorld, visit } from "./portal.ts";

const world = useWorld();

const pdf = new File(["%PDF-1.7\n"], "people.csv");
/** A file with the first bytes of a spreadsheet, which is spooled until it is complete. */
const tooLarge = () => new File([new Uint8Array(workbookOf("")), new Uint8Array(100 * 1024 * 1024)], "large.xlsx");
const table = (count: number) => new File([people(count)], "people.csv");

function form(fields: Record<string, string>, sent: readonly File[]): FormData {
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields)) multipart.append(name, value);
  for (const file of sent.length > 0 ? sent : [new File([], "")]) multipart.append("file", file);
  return multipart;
}

type Sent = { fields?: Record<string, string>; files: readonly File[]; scripted?: boolean };

function upload(id: AudienceId, { fields = {}, files: sent, scripted }: Sent, who: "harbor" | "fern" = "harbor") {
  return visit(world(), who, files.action, `/publisher/audiences/${id}/uploads`, {
    multipart: form(fields, sent),
    params: { id },
    headers: scripted ? { Accept: "application/json" } : undefined,
  });
}

const uploadsOf = (id: AudienceId) => listAudienceUploads(world().harbor, id);

async function failOnOurSide(id: AudienceId): Promise<void> {
  const failed = { status: "failed", error: uploadFailedOnOurSide, size: null } as const;
  await world().harbor.db.update(audienceUploads).set(failed).where(eq(audienceUploads.audienceId, id));
}

/** Sends a request while other uploads use all slots, which are free again once it has its response. */
async function whileQueued<T>(send: () => Promise<T>): Promise<T> {
  const slots: UploadSlotLease[] = [];
  for (let slot = tryAcquireUploadSlot(); slot; slot = tryAcquireUploadSlot()) slots.push(slot);
  try {
    return await send();
  } finally {
    for (const slot of slots) slot.release();
  }
}

describe("files sent to an audience", () => {
  it("get their report as the response, and a script gets its state", async () => {
    const id = await createEmptyAudience(world().harbor);
    const first = await upload(id, { files: [table(10), table(20)] });
    await waitForBackgroundTasks();
    const [created] = await uploadsOf(id);
    expect(first.location).toBe(`/publisher/audiences/${id}/uploads/${created?.id}`);

    const { location } = await upload(id, { fields: { mode: "remove" }, files: [table(5)], scripted: true });
    await waitForBackgroundTasks();
    const [removed] = await uploadsOf(id);
    const report = `/publisher/audiences/${id}/uploads/${removed?.id}`;
    expect(location).toBe(`${report}/state`);
    const params = { id, upload: removed?.id ?? "" };
    expect((await visit(world(), "harbor", state.loader, `${report}/state`, { params })).body).toEqual({
      report,
      status: "succeeded",
      error: null,
      retryable: false,
      rowsRead: 5,
      rowsInvalid: 0,
      rowsOptedOut: 0,
      duplicates: 0,
      peopleAdded: 0,
      peopleRemoved: 5,
    });
    expect((await visit(world(), "fern", state.loader, `${report}/state`, { params })).status).toBe(404);
  });

  it.each([
    ["that were interrupted", `The upload was interrupted. ${retryHint}`, true],
    ["for which there was no room", `We can't accept the file right now. ${retryLaterHint}`, true],
    ["that were rejected", "The file is empty. Choose another file.", false],
  ])("%s can be retried by the script or not", async (_, message, retryable) => {
    const audienceId = await createEmptyAudience(world().harbor);
    const { id: upload, attempt } = await beginUpload(world().harbor, { audienceId, mode: "add" });
    await failUpload(world().harbor, { id: upload, attempt, message });
    const path = `/publisher/audiences/${audienceId}/uploads/${upload}/state`;
    const { body } = await visit(world(), "harbor", state.loader, path, { params: { id: audienceId, upload } });
    expect(body).toMatchObject({ error: message, retryable });
  });

  it("that are missing or too large show the form again with its selection", async () => {
    const id = await createEmptyAudience(world().harbor);
    expect(await upload(id, { fields: { mode: "replace" }, files: [] })).toMatchObject({
      status: 422,
      body: { values: { mode: "replace" }, field: "file", message: "Choose at least one file" },
    });
    expect(await uploadsOf(id)).toEqual([]);
    expect(await upload(id, { fields: { mode: "remove" }, files: [tooLarge()] })).toMatchObject({
      status: 413,
      body: {
        values: { mode: "remove" },
        field: "file",
        message: "large.xlsx: The file is larger than 100 MB. Split it and upload the parts.",
      },
    });
    expect(await uploadsOf(id)).toMatchObject([{ status: "failed" }]);
  });

  it("that the browser left out show the form again with its selection, if the audience is one's own", async () => {
    const id = await createEmptyAudience(world().harbor);
    const path = `/publisher/audiences/${id}/uploads`;
    const sent = { params: { id }, form: { mode: "remove", file: "people.csv" } };
    expect(await visit(world(), "harbor", files.action, path, sent)).toMatchObject({
      status: 415,
      body: {
        values: { mode: "remove" },
        field: "file",
        message: "Your browser sent the form without the file. Choose it again, or use another browser.",
      },
    });
    expect((await visit(world(), "fern", files.action, path, sent)).status).toBe(404);
    expect(await uploadsOf(id)).toEqual([]);
  });

  it("are not taken for those that were sent with the same form before", async () => {
    const id = await createEmptyAudience(world().harbor);
    const fields = { idempotency_key: crypto.randomUUID() };
    const first = await upload(id, { fields, files: [table(10)] });
    expect((await upload(id, { fields, files: [table(10)] })).location).toBe(first.location);
    expect(await upload(id, { fields, files: [table(20)] })).toMatchObject({
      status: 422,
      body: { field: "file", message: expect.stringMatching(/^This form was already sent with other values/) },
    });
    await waitForBackgroundTasks();
    expect(await uploadsOf(id)).toMatchObject([{ status: "succeeded", rowsRead: 10 }]);
  });

  it("are refused if they are others than those of the same form that failed on our side", async () => {
    const id = await createEmptyAudience(world().harbor);
    const fields = { idempotency_key: crypto.randomUUID() };
    const first = await upload(id, { fields, files: [table(10)] });
    await waitForBackgroundTasks();
    await failOnOurSide(id);
    for (const other of [table(20), pdf]) {
      expect(await upload(id, { fields, files: [other] })).toMatchObject({
        status: 422,
        body: { field: "file", message: expect.stringMatching(/^This form was already sent with other values/) },
      });
      await waitForBackgroundTasks();
      expect(await uploadsOf(id)).toMatchObject([{ status: "failed", error: uploadFailedOnOurSide }]);
    }
    expect((await upload(id, { fields, files: [table(10)] })).location).toBe(first.location);
    await waitForBackgroundTasks();
    expect(await uploadsOf(id)).toMatchObject([{ status: "succeeded", rowsRead: 10 }]);
  });

  it("are refused in the queue, too, if they are others than those of the same form that failed on our side", async () => {
    const id = await createEmptyAudience(world().harbor);
    const fields = { idempotency_key: crypto.randomUUID() };
    await upload(id, { fields, files: [table(10)] });
    await waitForBackgroundTasks();
    await failOnOurSide(id);
    for (const other of [table(20), pdf]) {
      const sent = await whileQueued(() => upload(id, { fields, files: [other] }));
      expect(sent).toMatchObject({ status: 422, body: { field: "file" } });
      await waitForBackgroundTasks();
      expect(await uploadsOf(id)).toMatchObject([{ status: "failed", error: uploadFailedOnOurSide }]);
    }
    await whileQueued(() => upload(id, { fields, files: [table(10)] }));
    await waitForBackgroundTasks();
    expect(await uploadsOf(id)).toMatchObject([{ status: "succeeded", rowsRead: 10 }]);
  });

  it("that are too large are rejected again when the same form is sent again", async () => {
    const id = await createEmptyAudience(world().harbor);
    const fields = { idempotency_key: crypto.randomUUID() };
    const first = await upload(id, { fields, files: [tooLarge()] });
    expect(first).toMatchObject({ status: 413, body: { field: "file" } });
    const again = await upload(id, { fields, files: [tooLarge()] });
    expect([again.status, again.body]).toEqual([413, first.body]);
    expect((await upload(id, { fields, files: [table(10)] })).status).toBe(422);
    expect(await uploadsOf(id)).toHaveLength(1);
  });

  it("are rejected for an archived audience, and for another account's", async () => {
    const id = await createEmptyAudience(world().harbor, { status: "archived" });
    expect(await upload(id, { files: [table(3)] })).toMatchObject({
      status: 409,
      body: { message: "Archived audiences don't accept uploads" },
    });
    expect((await upload(id, { files: [table(3)] }, "fern")).status).toBe(404);
  });
});

describe("the report", () => {
  it("counts the rejected rows by reason, and can be downloaded completely", async () => {
    const id = await createEmptyAudience(world().harbor);
    await upload(id, { files: [new File(["Email\nann@example.com\nann@example.com\njo@e\n\n,\nno"], "=people.csv")] });
    await waitForBackgroundTasks();
    const [sent] = await uploadsOf(id);
    const path = `/publisher/audiences/${id}/uploads/${sent?.id}`;
    const params = { id, upload: sent?.id ?? "" };
    expect((await visit(world(), "harbor", report.loader, path, { params })).body).toMatchObject({
      upload: { rowsRead: 6, rowsBlank: 2, rowsInvalid: 2, invalidByReason: { invalid_email: 2 }, duplicates: 1 },
      problemCount: 2,
    });
    const file = await visit(world(), "harbor", reportFile.loader, `${path}/report.csv`, { params });
    expect(file.headers.get("Content-Disposition")).toBe('attachment; filename="upload-report.csv"');
    expect(file.body).toBe(
      [
        "File,Line,Reason,Value",
        "All files,,Rows read,6",
        "All files,,Blank rows,2",
        "All files,,Invalid rows,2",
        "All files,,Opted-out rows,0",
        "All files,,Duplicates,1",
        "All files,,People added,1",
        "All files,,People removed,0",
        "All files,,Audience size,1",
        "'=people.csv,4,Not a valid email address,j***@e***",
        "'=people.csv,7,Not a valid email address,n***",
        "",
      ].join("\r\n"),
    );
  });
});

describe("the columns of a file", () => {
  const file = () => new File(["Kontakt,Land\nann@example.com,DE\nbo@example.com,DE"], "people.csv");

  it("are chosen on the page of a rejected upload, remembered by the account, and detected again on request", async () => {
    const id = await createEmptyAudience(world().harbor);
    const uploadOnce = async (who: "harbor" | "fern", audienceId: AudienceId) => {
      await upload(audienceId, { files: [file()] }, who);
      await waitForBackgroundTasks();
      const [sent] = await listAudienceUploads(world()[who], audienceId);
      return sent;
    };
    const rejected = await uploadOnce("harbor", id);
    expect(rejected).toMatchObject({
      status: "failed",
      error: expect.stringContaining("Columns found: Kontakt, Land"),
    });
    const page = `/publisher/audiences/${id}/uploads/${rejected?.id}/columns`;
    const params = { id, upload: rejected?.id ?? "" };
    const shown = () => visit(world(), "harbor", columns.loader, page, { params });
    expect((await shown()).body).toMatchObject({
      isSaved: false,
      columns: [
        { name: "Kontakt", use: "ignored", samples: ["a***@e***", "b***@e***"] },
        { name: "Land", use: "country", samples: ["D***"] },
      ],
    });
    const submit = (form: [string, string][], who: "harbor" | "fern" = "harbor") =>
      visit(world(), who, columns.action, page, { params, form });
    const choice = (use: string): [string, string][] => [
      ["columns", use],
      ["columns", "country"],
      ["phone_country", ""],
      ["intent", "save"],
    ];
    expect(await submit(choice("ignored"))).toMatchObject({
      status: 422,
      body: { error: { columns: ["Choose at least one column that holds an email address or a phone number"] } },
    });
    expect((await submit(choice("email"), "fern")).status).toBe(404);
    expect((await submit(choice("email"))).location).toBe(`/publisher/audiences/${id}/uploads`);
    expect((await shown()).body).toMatchObject({ isSaved: true, columns: [{ use: "email" }, { use: "country" }] });
    expect(await uploadOnce("harbor", id)).toMatchObject({ status: "succeeded", peopleAdded: 2 });
    const others = await createEmptyAudience(world().fern);
    expect(await uploadOnce("fern", others)).toMatchObject({ status: "failed" });

    expect((await submit([["intent", "reset"]])).location).toBe(`${page}?file=0`);
    expect((await shown()).body).toMatchObject({ isSaved: false });
    expect(await uploadOnce("harbor", id)).toMatchObject({ status: "failed" });
  });
});

describe("a new audience", () => {
  const send = (name: string, sent: readonly File[], more: Record<string, string> = {}) =>
    visit(world(), "harbor", create.action, "/publisher/audiences/create", {
      multipart: form({ name, segment: "high-value", idempotency_key: crypto.randomUUID(), ...more }, sent),
    });
  const named = async (q: string) => (await listOwnAudiences(world().harbor, { q })).rows;

  it("has the people of its files", async () => {
    const { location } = await send("With two files", [table(1_200), table(1_300)]);
    expect(location).toMatch("/thank-you/audience-uploaded?audience=");
    await waitForBackgroundTasks();
    expect(await named("With two files")).toMatchObject([{ size: 1_300, status: "ready" }]);
  });

  it("is not created with a file that cannot be imported: the form says why at the file", async () => {
    expect(await send("Refused", [table(10), pdf])).toMatchObject({
      status: 422,
      body: {
        initialValue: { name: "Refused" },
        error: { file: [expect.stringMatching(/^people\.csv: This is a PDF/)] },
      },
    });
    expect(await send("Refused", [tooLarge()])).toMatchObject({
      status: 413,
      body: { initialValue: { name: "Refused" }, error: { file: [expect.stringMatching("larger than 100 MB")] } },
    });
    expect(await named("Refused")).toEqual([]);
  });

  it("takes no other files than its own when these failed on our side and the form is sent again", async () => {
    const key = { idempotency_key: crypto.randomUUID() };
    await send("Sent again", [table(10)], key);
    await waitForBackgroundTasks();
    const [created] = await named("Sent again");
    const id = parseId<AudienceId>(created?.id) ?? expect.fail("no audience");
    await failOnOurSide(id);
    expect(await send("Sent again", [table(20)], key)).toMatchObject({ status: 422 });
    await waitForBackgroundTasks();
    expect(await uploadsOf(id)).toMatchObject([{ status: "failed", error: uploadFailedOnOurSide }]);
    await send("Sent again", [table(10)], key);
    await waitForBackgroundTasks();
    expect(await uploadsOf(id)).toMatchObject([{ status: "succeeded", rowsRead: 10 }]);
  });

  it("whose files contain nobody exists, and the report says what is wrong with each row", async () => {
    const { location } = await send("Nobody", [new File(["Email\nbad\nworse"], "people.csv")]);
    const [created] = await named("Nobody");
    expect(location).toMatch(`/publisher/audiences/${created?.id}/uploads/`);
  });

  it("is created before its files when a script sends them after it", async () => {
    const { body } = await send("Files later", [], { files: "later" });
    const [created] = await named("Files later");
    expect(body).toEqual({
      made: {
        name: "Files later",
        href: `/publisher/audiences/${created?.id}`,
        next: `/thank-you/audience-uploaded?audience=${created?.id}`,
      },
    });
    expect(parseId(created?.id)).toBeDefined();
  });
});
