import type { Readable } from "node:stream";
import { type output, type ZodType, z } from "zod";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { Call } from "./call.server.ts";
import { enterAsTenant } from "./callers.server.ts";
import { parseInput, readQuery } from "./read-input.server.ts";

type CallFile = { name: string; type: string; content: Readable };

/** A call of both sides whose answer is a file, of one of the types named. */
export function tenantFileCall<Q extends ZodType>(definition: {
  summary: string;
  query: Q;
  fileTypes: readonly string[];
  run: (call: { ctx: Ctx<TenantActor>; query: output<Q> }) => Promise<CallFile>;
}): Call<Q, ZodType, z.ZodString> {
  const { summary, query, fileTypes } = definition;
  return {
    summary,
    caller: "tenant",
    query,
    answer: z.string(),
    status: 200,
    fileTypes,
    keys: true,
    moneyMoves: false,
    takesFiles: false,
    takesCsv: false,
    async perform(visit) {
      const { ctx } = await enterAsTenant(visit);
      const file = await definition.run({ ctx, query: parseInput(query, readQuery(visit.request)) });
      visit.headers.set("Content-Type", file.type);
      visit.headers.set("Content-Disposition", `attachment; filename="${file.name}"`);
      return { status: 200, body: file.content };
    },
  };
}
