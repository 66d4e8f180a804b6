import type { SubmissionResult } from "@conform-to/react";
import { type FormEvent, useMemo, useState } from "react";
import { type UploadMode, uploadModeLabels, uploadModes } from "#app/domain/audiences/audience.ts";
import type { AudienceConsent } from "#app/domain/audiences/consent/audience-consent.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FormValues, fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { AudienceFilesField, EncodingField, OptOutsField } from "./audience-files.tsx";
import { enqueueBackgroundUpload, selectedFiles, uploadLimitError } from "./background-upload.ts";
import { ConsentFields } from "./consent-fields.tsx";

const modeHints: Record<UploadMode, string> = {
  add: "Add new people and keep existing ones",
  replace: "Keep only the people in these files",
  remove: "Remove the people in these files",
};

const optOutsHint =
  "For a list of people who opted out, choose Remove. If neither its name nor its columns say that they did, Add puts them in the audience, and Replace leaves only them in it.";

/** Resets the form unseen by conform, which would unselect every option: it does not know the selects' defaults. */
function resetForm(form: HTMLFormElement): void {
  form.addEventListener("reset", (event) => event.stopPropagation(), { once: true });
  form.reset();
}

const notStarted = "The upload could not start, because the server did not respond. Try again in a minute.";
export const noFiles = "Choose at least one file";
const fileChecks = { file: { required: noFiles } };

/**
 * Uploads files to an audience. A script sends them in the background, and the portal shows the progress; without
 * scripting the form sends them, and the report follows. `values` and `error` are those of a rejected attempt.
 */
export function UploadForm({
  to,
  audience,
  idempotencyKey,
  values = {},
  error,
}: {
  to: string;
  audience: { name: string; href: string; consent: AudienceConsent };
  idempotencyKey: string;
  values?: FormValues;
  error?: { field: string; message: string };
}) {
  const { name, href, consent } = audience;
  const [problem, setProblem] = useState<string>();
  const rejected = useMemo(
    (): SubmissionResult<string[]> | undefined =>
      error ? { status: "error", error: { [error.field]: [error.message] } } : undefined,
    [error],
  );
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = event.currentTarget;
    const tooMuch = uploadLimitError(selectedFiles(sent));
    setProblem(tooMuch);
    if (tooMuch) return void sent.querySelector<HTMLElement>("#file")?.focus();
    void enqueueBackgroundUpload({ to, form: new FormData(sent), audience: { name, href } }).then((start) => {
      if (start === "begun") resetForm(sent);
      else if (start === "old") sent.submit();
      else setProblem(notStarted);
    });
  };
  const { fields, ...form } = useCheckedForm({ checks: fileChecks, rejected, onSubmit: send });
  return (
    <section id="upload">
      <Card title="Upload files">
        <Form
          method="post"
          action={to}
          encType="multipart/form-data"
          reloadDocument
          {...form.props}
          className="form-grid"
        >
          <input type="hidden" name="idempotency_key" value={idempotencyKey} />
          <ChoiceField
            type="radio"
            name="mode"
            label="Upload mode"
            hint={optOutsHint}
            options={uploadModes.map((value) => ({ value, label: uploadModeLabels[value], hint: modeHints[value] }))}
            selected={[fieldText(values, "mode") || "add"]}
          />
          <OptOutsField defaultChecked={fieldText(values, "include_opt_outs") === "on"} />
          <EncodingField defaultValue={fieldText(values, "encoding")} />
          <ConsentFields values={values} errors={fields.errors} current={consent} />
          <AudienceFilesField errors={problem ? [problem] : fields.errors.file} />
          <div className="actions">
            <Button variant="primary" icon="upload">
              Upload
            </Button>
          </div>
        </Form>
      </Card>
    </section>
  );
}
