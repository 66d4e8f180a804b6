import type { LoaderFunctionArgs } from "@remix-run/node";
import { invalidReasons } from "#app/domain/audiences/audience.ts";
import { getUpload } from "#app/domain/audiences/get-upload.server.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { csvOf } from "#app/web/csv.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

/** The rows of an upload that were not taken, masked, as a file. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await enterPortal(request, "publisher", context);
  const { problems, files } = await orNotFoundPage(getUpload(ctx, idInAddress<UploadId>(params.upload)));
  const rows = problems.map(({ file, line, reason, value }) => [
    files[file]?.name ?? "",
    line,
    invalidReasons[reason],
    value,
  ]);
  return new Response(csvOf([["File", "Line", "Reason", "Value"], ...rows]), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="upload-report.csv"',
    },
  });
}
