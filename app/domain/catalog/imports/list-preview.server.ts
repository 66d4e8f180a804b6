import type { Ctx, TenantActor } from "../../context.ts";
import type { ImportId } from "../../ids.ts";
import { getImportRow } from "./import-rows.server.ts";
import { listStaged } from "./staged-rows.server.ts";

export type PreviewRow = Awaited<ReturnType<typeof listPreview>>[number];

/** Lists the first rows of a previewed import, at most ten, with the action of each. Throws `not_found`. */
export async function listPreview(ctx: Ctx<TenantActor>, id: ImportId) {
  return listStaged(ctx, await getImportRow(ctx, id));
}
