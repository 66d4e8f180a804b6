import { z } from "zod";
import { apiKeySchema } from "#app/domain/api-keys/api-key.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { type ListedApiKey, listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { revokeApiKey } from "#app/domain/api-keys/revoke-api-key.server.ts";
import type { ApiKeyId } from "#app/domain/ids.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, successBody, successShape, timeOrNull, wire } from "../wire.ts";

const keySchema = z.object({
  id: wire.id,
  name: z.string(),
  prefix: z.string().describe("First characters of the secret"),
  created_at: wire.time,
  last_used_at: wire.time.nullable(),
});

/** API key endpoints, for both sides; each sees only its own keys. */
export const apiKeyEndpoints = {
  "GET /api/keys": tenantEndpoint({
    summary: "List active API keys, newest first",
    query: z.object(pageQuery),
    response: z.object({ keys: z.array(keySchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = await listApiKeys(ctx, query);
      return { keys: page.rows.map(keyJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/keys": tenantEndpoint({
    summary: "Create an API key. The secret is returned only in this response",
    body: apiKeySchema,
    response: z.object({ key: keySchema, secret: z.string().optional().describe("Omitted from replayed responses") }),
    status: 201,
    allowsApiKeys: false,
    secretFields: ["secret"],
    creates: "api_keys",
    errors: ["limit_reached", "invalid_transition"],
    run: async ({ ctx, body }) => {
      const { key, secret } = await createApiKey(ctx, body);
      return { key: keyJson(key), secret };
    },
  }),
  "DELETE /api/keys/{id}": tenantEndpoint({
    summary: "Revoke an API key",
    response: z.object(successShape),
    run: async ({ ctx, params }) => {
      await revokeApiKey(ctx, { id: requireId<ApiKeyId>("API key", params.id) });
      return successBody;
    },
  }),
};

function keyJson({ id, name, prefix, createdAt, lastUsedAt }: ListedApiKey) {
  return { id, name, prefix, created_at: createdAt.toISOString(), last_used_at: timeOrNull(lastUsedAt) };
}
