import type { LoaderFunctionArgs } from "@remix-run/node";
import { invalidReasons } from "#app/domain/audiences/audience.ts";
import { getUpload, type Upload } from "#app/domain/audiences/get-upload.server.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { csvOf } from "#app/web/csv.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

/** An upload's report as a file: its figures, then the rows that were not taken, masked. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await enterPortal(request, "publisher", context);
  const upload = await orNotFoundPage(getUpload(ctx, idInAddress<UploadId>(params.upload)));
  const rows = upload.problems.map(({ file, line, reason, value }) => [
    upload.files[file]?.name ?? "",
    line,
    invalidReasons[reason],
    value,
  ]);
  return new Response(csvOf([["File", "Line", "Reason", "Value"], ...figuresOf(upload), ...rows]), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="upload-report.csv"',
    },
  });
}

/** In the same columns, so that all of it is one table: of all files, on no line. */
function figuresOf(upload: Upload) {
  const figures: [string, number][] = [
    ["Rows read", upload.rowsRead],
    ["Blank", upload.rowsBlank],
    ["Invalid", upload.rowsInvalid],
    ["Duplicates", upload.duplicates],
    ["People added", upload.peopleAdded],
    ["People removed", upload.peopleRemoved],
    ...(upload.size === null ? [] : [["Audience size", upload.size] satisfies [string, number]]),
  ];
  return figures.map(([label, count]) => ["All files", "", label, count]);
}
