import { useNavigation } from "@remix-run/react";
import { Button } from "#app/ui/button.tsx";
import { DropZone } from "#app/ui/drop-zone.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Form } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { useFileUpload } from "./use-file-upload.ts";

const fileChecks = { file: { required: "Choose a file" } };

/** Uploads one file; its preview follows. With scripting a bar shows the progress. */
export function CatalogFileForm({
  to,
  rejected,
  idempotencyKey,
  templateHref,
}: {
  to: string;
  /** Why the file that was sent without scripting was not accepted. */
  rejected: string | undefined;
  idempotencyKey: string;
  templateHref: string;
}) {
  const { sent, problem = rejected, send } = useFileUpload(to);
  const { fields, ...form } = useCheckedForm({
    checks: fileChecks,
    rejected: undefined,
    nativeWithoutScript: true,
    onSubmit: send,
  });
  const busy = useNavigation().formAction === to || sent !== undefined;
  return (
    <Card title="Upload a file">
      <Form method="post" action={to} encType="multipart/form-data" {...form.props} className="form-grid">
        <input type="hidden" name="idempotency_key" value={idempotencyKey} />
        {problem ? <Notice tone="bad" title={problem} /> : null}
        <DropZone>
          <FileField
            name="file"
            label="Product file"
            hint="CSV or XLSX, up to 50MB, also ODS, XLS or a product feed in XML, or packed as .gz or .zip. Exports of Shopify, WooCommerce, Magento, Amazon, eBay, Etsy and others are recognized."
            accept=".csv,.txt,.tsv,.xlsx,.xls,.ods,.xml,.gz,.zip"
            required
            errors={fields.errors.file}
          />
        </DropZone>
        {sent === undefined ? null : (
          <div className="grid gap-1" aria-live="polite">
            <progress className="progress" aria-label="Upload" max={1} value={sent < 1 ? sent : undefined} />
            <span className="hint">
              {sent < 1 ? `${Math.floor(sent * 100)}% uploaded` : "Upload complete. Reading the file..."}
            </span>
          </div>
        )}
        <div className="actions">
          <a className="button" href={templateHref}>
            <Icon name="download" />
            Download CSV template
          </a>
          <Button variant="primary" icon="upload" busy={busy} busyLabel="Uploading...">
            Upload and preview
          </Button>
        </div>
      </Form>
    </Card>
  );
}
