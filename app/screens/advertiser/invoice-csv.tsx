import type { LoaderFunctionArgs } from "@remix-run/node";
import { getInvoice, listInvoiceLines } from "#app/domain/billing/invoices/list-invoices.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import type { InvoiceId } from "#app/domain/ids.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { csvAnswer } from "#app/web/csv.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

/** An invoice's lines as a file. It is one invoice's, not a whole table, so that no limit counts it. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await enterPortal(request, "advertiser", context);
  const { id, number } = await orNotFoundPage(getInvoice(ctx, idInAddress<InvoiceId>(params.id)));
  return csvAnswer(`${number}.csv`, piecesOf(ctx, id));
}

async function* piecesOf(ctx: Ctx<AdvertiserActor>, id: InvoiceId) {
  yield [["Line", "Campaign", "Amount (USD)"]];
  for (let after = 0; ; ) {
    const lines = await listInvoiceLines(ctx, { id, after });
    yield lines.map(({ number, description, amount }) => [number, description, dollarsOf(amount)]);
    const last = lines.at(-1);
    if (!last) return;
    after = last.number;
  }
}
