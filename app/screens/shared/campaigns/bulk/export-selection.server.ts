import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { csvResponse } from "#app/web/csv.ts";
import { consumeExportLimit } from "#app/web/exports/export-limit.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { parseSelection } from "./bulk-selection.server.ts";

type Cells = (string | number | null)[];

/** Returns the campaigns that the URL's `campaign` parameters name as CSV, or redirects to `back` with the reason. */
export async function exportSelection(
  ctx: Ctx<TenantActor>,
  input: {
    request: Request;
    back: string;
    columns: string[];
    rowsOf: (ids: CampaignId[]) => Promise<Cells[]>;
  },
) {
  const ids = parseSelection(new URL(input.request.url).searchParams.getAll("campaign"));
  if (!ids || ids.length === 0) {
    return redirectWithFlash(input.back, { tone: "error", message: "Select at least one campaign" });
  }
  try {
    await consumeExportLimit(ctx, input.request);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(input.back, { tone: "error", message: error.message });
  }
  const rows = input.request.method === "HEAD" ? [] : await input.rowsOf(ids);
  return csvResponse("campaigns.csv", piecesOf([input.columns, ...rows]));
}

async function* piecesOf(rows: Cells[]) {
  yield rows;
}
