import { z } from "zod";
import { type PullIntegration, pullIntegrations } from "#app/domain/audiences/data-source.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { findRemoteList, saveRemoteList } from "#app/domain/audiences/integrations/choose-remote-list.server.ts";
import { saveIntegration, testIntegration } from "#app/domain/audiences/integrations/connect-integration.server.ts";
import {
  connectionSchema,
  integrationSchema,
  remoteListSchema,
} from "#app/domain/audiences/integrations/connection-payloads.ts";
import { connectorProblems } from "#app/domain/audiences/integrations/connectors/connector.ts";
import { disconnectIntegration } from "#app/domain/audiences/integrations/disconnect-integration.server.ts";
import { ingestSegmentEvents } from "#app/domain/audiences/integrations/ingest-segment-events.server.ts";
import { type Connection, listConnections } from "#app/domain/audiences/integrations/list-connections.server.ts";
import { listRemoteLists } from "#app/domain/audiences/integrations/list-remote-lists.server.ts";
import { refreshAudience } from "#app/domain/audiences/integrations/refresh-audience.server.ts";
import { segmentEventsSchema } from "#app/domain/audiences/integrations/segment-events.ts";
import { membersTimeoutMs } from "#app/domain/audiences/update-members.server.ts";
import { getUpload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { notFound } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { peopleTimeoutMs } from "#app/web/request-limits.ts";
import { publisherEndpoint } from "../endpoint.server.ts";
import { markReplayed, parseIdempotencyKey } from "../idempotency-key.ts";
import { ownAudienceJson, ownAudienceSchema } from "../json/audience-json.ts";
import { uploadJson, uploadSchema } from "../json/upload-json.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, successBody, successShape, wire } from "../wire.ts";

/** Segment's default batch is 1,000 events; this allows 4 KB of context for each. */
const eventBytes = 4 * 1024 * 1024;

const connectionJsonSchema = z.object({
  integration: z.enum(pullIntegrations),
  problem: z.enum(connectorProblems).nullable().describe("Error from the last request; null if it succeeded"),
  checked_at: wire.time,
  created_at: wire.time,
});

const connectionJson = ({ integration, problem, checkedAt, createdAt }: Connection) => ({
  integration,
  problem,
  checked_at: checkedAt.toISOString(),
  created_at: createdAt.toISOString(),
});

/** Endpoints for the integrations that a publisher imports people from. */
export const connectionEndpoints = {
  "GET /api/connections": publisherEndpoint({
    summary: "List connected integrations and their status. Credentials are never returned",
    query: z.object(pageQuery),
    response: z.object({ connections: z.array(connectionJsonSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listConnections(ctx), query, ({ integration }) => integration);
      return { connections: page.rows.map(connectionJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/connections": publisherEndpoint({
    summary: "Connect an integration. Credentials are verified first and replace existing ones",
    body: connectionSchema,
    response: z.object({ connections: z.array(connectionJsonSchema) }),
    status: 201,
    errors: ["limit_reached", "invalid_transition"],
    prepare: async ({ ctx, body }) => {
      await testIntegration(ctx, body);
      return async (inside) => {
        await saveIntegration(inside, body);
        return { connections: (await listConnections(inside)).map(connectionJson) };
      };
    },
  }),
  "DELETE /api/connections/{id}": publisherEndpoint({
    summary: "Disconnect an integration and delete its credentials. Audiences keep their people",
    response: z.object(successShape),
    run: async ({ ctx, params }) => {
      await disconnectIntegration(ctx, requireIntegration(params.id));
      return successBody;
    },
  }),
  "GET /api/connections/{id}/lists": publisherEndpoint({
    summary: "List the lists currently available from a connected integration, sorted by name",
    query: z.object(pageQuery),
    response: z.object({
      lists: z.array(z.object({ id: z.string(), name: z.string(), people: wire.count.nullable() })),
      ...pageResponse,
    }),
    errors: ["invalid_transition"],
    run: async ({ ctx, params, query }) => {
      const page = pageOfFew(await listRemoteLists(ctx, requireIntegration(params.id)), query, ({ id }) => id);
      return { lists: page.rows, next_cursor: page.nextCursor };
    },
  }),
  "POST /api/audiences/{id}/list": publisherEndpoint({
    summary: "Set the integration list that an audience is refreshed from",
    body: remoteListSchema,
    response: z.object({ audience: ownAudienceSchema }),
    errors: ["invalid_transition", "limit_reached"],
    prepare: async ({ ctx, params, body }) => {
      const audienceId = requireId<AudienceId>("Audience", params.id);
      const found = await findRemoteList(ctx, { audienceId, list: body.list });
      return async (inside) => {
        await saveRemoteList(inside, found);
        return { audience: ownAudienceJson(await getAudience(inside, audienceId)) };
      };
    },
  }),
  "POST /api/audiences/{id}/refresh": publisherEndpoint({
    summary: "Refresh an audience from its list now, replacing its people. Track progress in the returned upload",
    response: z.object({ upload: uploadSchema }),
    status: 202,
    continuesInBackground: true,
    errors: ["invalid_transition", "limit_reached"],
    run: async ({ ctx, params, apiRequest }) => {
      const key = parseIdempotencyKey(apiRequest.head);
      const { id, isNew } = await refreshAudience(ctx, requireId<AudienceId>("Audience", params.id), { key });
      if (!isNew) markReplayed(apiRequest);
      return { upload: uploadJson(await getUpload(ctx, id)) };
    },
  }),
  "POST /api/audiences/{id}/segment": publisherEndpoint({
    summary:
      "Receive Segment identify or track events, one or an array. People who enter the audience are added, people who leave are removed. People whose traits or consent object say that they opted out are left out and removed",
    query: z.object({
      key: z
        .string()
        .max(200, "Use at most 200 characters")
        .optional()
        .describe("Segment audience key. Events for other audiences are ignored"),
    }),
    body: segmentEventsSchema,
    maxBodyBytes: eventBytes,
    limits: { timeout: peopleTimeoutMs },
    deadlineMs: membersTimeoutMs,
    readList: (events) => ({ events }),
    response: z.object({
      ingested: z.object({
        added: wire.count,
        duplicate: wire.count,
        removed: wire.count.describe("Identifiers removed. Who leaves is removed by email address and phone number"),
        absent: wire.count.describe("Identifiers to be removed that were not in the audience"),
        invalid: wire.count,
        opted_out: wire.count.describe("People who entered and are left out, because they opted out"),
        ignored: wire.count,
      }),
      size: wire.count,
    }),
    errors: ["invalid_transition", "limit_reached"],
    run: async ({ ctx, params, query, body }) =>
      ingestSegmentEvents(ctx, { audienceId: requireId<AudienceId>("Audience", params.id), key: query.key, ...body }),
  }),
};

function requireIntegration(text: string | undefined): PullIntegration {
  const read = integrationSchema.safeParse(text);
  if (!read.success) throw notFound("Integration");
  return read.data;
}
