import { z } from "zod";
import { apiKeySchema } from "#app/domain/api-keys/api-key.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { type ListedApiKey, listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { revokeApiKey } from "#app/domain/api-keys/revoke-api-key.server.ts";
import type { ApiKeyId } from "#app/domain/ids.ts";
import { tenantCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { done, doneShape, pageAnswer, pageQuery, timeOrNull, wire } from "../wire.ts";

const keySchema = z.object({
  id: wire.id,
  name: z.string(),
  prefix: z.string().describe("The secret's first characters"),
  created_at: wire.time,
  last_used_at: wire.time.nullable(),
});

/** Calls that both sides make, each about its own. */
export const tenantCalls = {
  "GET /api/keys": tenantCall({
    summary: "The account's keys that are not revoked, newest first",
    query: z.object(pageQuery),
    answer: z.object({ keys: z.array(keySchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = await listApiKeys(ctx, query);
      return { keys: page.rows.map(keyJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/keys": tenantCall({
    summary: "Make a key. Its secret is in this answer and nowhere else",
    body: apiKeySchema,
    answer: z.object({ key: keySchema, secret: z.string().optional().describe("Left out of a repeated answer") }),
    status: 201,
    keys: false,
    shownOnce: ["secret"],
    run: async ({ ctx, body }) => {
      const { key, secret } = await createApiKey(ctx, body);
      return { key: keyJson(key), secret };
    },
  }),
  "DELETE /api/keys/{id}": tenantCall({
    summary: "Revoke a key",
    answer: z.object(doneShape),
    run: async ({ ctx, params }) => {
      await revokeApiKey(ctx, { id: requireId<ApiKeyId>("Key", params.id) });
      return done;
    },
  }),
};

function keyJson({ id, name, prefix, createdAt, lastUsedAt }: ListedApiKey) {
  return { id, name, prefix, created_at: createdAt.toISOString(), last_used_at: timeOrNull(lastUsedAt) };
}
