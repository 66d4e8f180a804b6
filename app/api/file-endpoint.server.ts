import type { Readable } from "node:stream";
import { type output, type ZodType, z } from "zod";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { tableLimits } from "#app/web/request-limits.ts";
import { requireTenant } from "./auth.server.ts";
import type { Endpoint } from "./endpoint.ts";
import { parseInput, parseQuery } from "./parse-request.server.ts";

type CallFile = { name: string; type: string; content: Readable };

/** Defines an endpoint for both sides whose response is a file of one of the given media types. */
export function tenantFileEndpoint<Q extends ZodType>(definition: {
  summary: string;
  query: Q;
  fileTypes: readonly string[];
  /** Returns the file. The content that it has for HEAD is not sent. */
  run: (call: { ctx: Ctx<TenantActor>; method: string; query: output<Q> }) => Promise<CallFile>;
}): Endpoint<Q, ZodType, z.ZodString> {
  const { summary, query, fileTypes } = definition;
  return {
    summary,
    access: "tenant",
    query,
    response: z.string(),
    status: 200,
    fileTypes,
    allowsApiKeys: true,
    movesMoney: false,
    acceptsFiles: false,
    acceptsCsv: false,
    acceptsLines: false,
    limits: tableLimits,
    errors: [],
    async perform(apiRequest) {
      const { ctx } = await requireTenant(apiRequest);
      const { method } = apiRequest.head;
      const file = await definition.run({ ctx, method, query: parseInput(query, parseQuery(apiRequest.head)) });
      apiRequest.headers.set("Content-Type", file.type);
      apiRequest.headers.set("Content-Disposition", `attachment; filename="${file.name}"`);
      return { status: 200, body: file.content };
    },
  };
}
