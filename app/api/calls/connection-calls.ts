import { z } from "zod";
import { chooseRemoteList } from "#app/domain/audiences/choose-remote-list.server.ts";
import { connectProgram } from "#app/domain/audiences/connect-program.server.ts";
import { connectionSchema, programSchema, remoteListSchema } from "#app/domain/audiences/connection-payloads.ts";
import { connectorProblemNames } from "#app/domain/audiences/connectors/connector.ts";
import { type Program, programs } from "#app/domain/audiences/data-source.ts";
import { disconnectProgram } from "#app/domain/audiences/disconnect-program.server.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { getUpload } from "#app/domain/audiences/get-upload.server.ts";
import { type Connection, listConnections } from "#app/domain/audiences/list-connections.server.ts";
import { listRemoteLists } from "#app/domain/audiences/list-remote-lists.server.ts";
import { refreshAudience } from "#app/domain/audiences/refresh-audience.server.ts";
import { segmentEventsSchema } from "#app/domain/audiences/segment-events.ts";
import { takeSegmentEvents } from "#app/domain/audiences/take-segment-events.server.ts";
import { notFound } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { ownAudienceJson, ownAudienceSchema } from "../audience-json.ts";
import { publisherCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { uploadJson, uploadSchema } from "../upload-json.ts";
import { done, doneShape, pageAnswer, pageQuery, wire } from "../wire.ts";

/** A thousand events, as many as Segment sends unless told otherwise, with four kilobytes of context each. */
const eventBytes = 4 * 1024 * 1024;

const connectionJsonSchema = z.object({
  program: z.enum(programs),
  problem: z.enum(connectorProblemNames).nullable().describe("What came of the last request; null: it went well"),
  checked_at: wire.time,
  created_at: wire.time,
});

const connectionJson = ({ program, problem, checkedAt, createdAt }: Connection) => ({
  program,
  problem,
  checked_at: checkedAt.toISOString(),
  created_at: createdAt.toISOString(),
});

/** Calls about the programs that a publisher's people are fetched from. */
export const connectionCalls = {
  "GET /api/connections": publisherCall({
    summary: "The programs that are connected, with the state of each; never a credential",
    query: z.object(pageQuery),
    answer: z.object({ connections: z.array(connectionJsonSchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listConnections(ctx), query, ({ program }) => program);
      return { connections: page.rows.map(connectionJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/connections": publisherCall({
    summary: "Connect a program with a credential, which is tried first; an earlier one is replaced",
    body: connectionSchema,
    answer: z.object({ connections: z.array(connectionJsonSchema) }),
    status: 201,
    run: async ({ ctx, body }) => {
      await connectProgram(ctx, body);
      return { connections: (await listConnections(ctx)).map(connectionJson) };
    },
  }),
  "DELETE /api/connections/{id}": publisherCall({
    summary: "Forget a program's credential; audiences keep their people",
    answer: z.object(doneShape),
    run: async ({ ctx, params }) => {
      await disconnectProgram(ctx, requireProgram(params.id));
      return done;
    },
  }),
  "GET /api/connections/{id}/lists": publisherCall({
    summary: "The lists that a connected program has at this moment",
    answer: z.object({
      lists: z.array(z.object({ id: z.string(), name: z.string(), people: wire.count.nullable() })),
    }),
    run: async ({ ctx, params }) => ({ lists: await listRemoteLists(ctx, requireProgram(params.id)) }),
  }),
  "POST /api/audiences/{id}/list": publisherCall({
    summary: "Choose the list of its program that an audience's people are fetched from",
    body: remoteListSchema,
    answer: z.object({ audience: ownAudienceSchema }),
    run: async ({ ctx, params, body }) => {
      const audienceId = requireId<AudienceId>("Audience", params.id);
      await chooseRemoteList(ctx, { audienceId, list: body.list });
      return { audience: ownAudienceJson(await getAudience(ctx, audienceId)) };
    },
  }),
  "POST /api/audiences/{id}/refresh": publisherCall({
    summary: "Fetch an audience's list now and replace its people by it; the upload says how it went",
    answer: z.object({ upload: uploadSchema }),
    status: 202,
    goesOn: true,
    run: async ({ ctx, params }) => {
      const { id } = await refreshAudience(ctx, requireId<AudienceId>("Audience", params.id));
      return { upload: uploadJson(await getUpload(ctx, id)) };
    },
  }),
  "POST /api/audiences/{id}/segment": publisherCall({
    summary:
      "For Segment's webhooks: identify and track events of an audience of Segment, one, or several as a list; whoever entered is added, whoever left is removed",
    query: z.object({
      key: z.string().max(200).optional().describe("Segment's key of the audience: events of others are ignored"),
    }),
    body: segmentEventsSchema,
    bodyBytes: eventBytes,
    readList: (events) => ({ events }),
    answer: z.object({
      taken: z.object({
        added: wire.count,
        duplicate: wire.count,
        removed: wire.count,
        absent: wire.count,
        invalid: wire.count,
        ignored: wire.count,
      }),
      size: wire.count,
    }),
    run: async ({ ctx, params, query, body }) =>
      takeSegmentEvents(ctx, { audienceId: requireId<AudienceId>("Audience", params.id), key: query.key, ...body }),
  }),
};

function requireProgram(text: string | undefined): Program {
  const read = programSchema.safeParse(text);
  if (!read.success) throw notFound("Connection");
  return read.data;
}
