import type { LoaderFunctionArgs } from "@remix-run/node";
import { getInvoice, listInvoiceLines } from "#app/domain/billing/invoices/list-invoices.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import type { InvoiceId } from "#app/domain/ids.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { csvResponse } from "#app/web/csv.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

/** Exports one invoice's lines as CSV. The hourly export limit covers whole tables only. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await requirePortalAccess(request, "advertiser", context);
  const { id, number } = await orThrow404(getInvoice(ctx, requireIdParam<InvoiceId>(params.id)));
  return csvResponse(`${number}.csv`, piecesOf(ctx, id));
}

async function* piecesOf(ctx: Ctx<AdvertiserActor>, id: InvoiceId) {
  yield [["Line", "Campaign", "Amount (USD)"]];
  for (let after = 0; ; ) {
    const lines = await listInvoiceLines(ctx, { id, after });
    yield lines.map(({ number, description, amount }) => [number, description, centsToDollars(amount)]);
    const last = lines.at(-1);
    if (!last) return;
    after = last.number;
  }
}
