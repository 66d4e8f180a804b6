import type { LoaderFunctionArgs } from "@remix-run/node";
import { invalidReasonLabels } from "#app/domain/audiences/audience.ts";
import { getUpload, type Upload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { byteOrderMark, toCsv } from "#app/web/csv.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

/** Exports an upload's report as CSV: its statistics, then the rejected rows, masked. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await requirePortalAccess(request, "publisher", context);
  const upload = await orThrow404(getUpload(ctx, requireIdParam<UploadId>(params.upload)));
  const rows = upload.problems.map(({ file, line, reason, value }) => [
    upload.files[file]?.name ?? "",
    line,
    invalidReasonLabels[reason],
    value,
  ]);
  const table = toCsv([["File", "Line", "Reason", "Value"], ...figuresOf(upload), ...rows]);
  return new Response(byteOrderMark + table, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="upload-report.csv"',
    },
  });
}

/** The statistics in the columns of the rows, so that the file is one table; they name no file and no line. */
function figuresOf(upload: Upload) {
  const figures: [string, number][] = [
    ["Rows read", upload.rowsRead],
    ["Blank rows", upload.rowsBlank],
    ["Invalid rows", upload.rowsInvalid],
    ["Opted-out rows", upload.rowsOptedOut],
    ...upload.optOuts.flatMap(({ column, rows, identifiers, blank, unclear }): [string, number][] => [
      [`Opted out: ${column}`, rows],
      [`Imported without an identifier: ${column}`, identifiers],
      [`Blank: ${column}`, blank],
      [`Not understood: ${column}`, unclear],
    ]),
    ["Duplicates", upload.duplicates],
    ["People added", upload.peopleAdded],
    ["People removed", upload.peopleRemoved],
    ...(upload.size === null ? [] : [["Audience size", upload.size] satisfies [string, number]]),
  ];
  return figures.map(([label, count]) => ["All files", "", label, count]);
}
