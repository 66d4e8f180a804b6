import type { SubmissionResult } from "@conform-to/react";
import { Upload } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { type UploadMode, uploadModeLabels, uploadModes } from "#app/domain/audiences/audience.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Card } from "#app/ui/layout.tsx";
import { AudienceFileField } from "./audience-files.tsx";
import { chosenFiles, sendByScript, wordsOfRefusal } from "./script-upload.ts";

const modeHints: Record<UploadMode, string> = {
  add: "New people join, the others stay",
  replace: "Only the people of the new files remain",
  remove: "The people of the files leave",
};

export const noFiles = "Choose at least one file";
const fileChecks = { file: { required: noFiles } };

/**
 * Sends files to an audience. A script sends them beside the page, and the portal shows how far they are; without one the
 * form does, and the report follows. `mode` and `error` are those of a refused attempt.
 */
export function UploadForm({
  to,
  audience,
  formKey,
  mode = "add",
  error,
}: {
  to: string;
  audience: { name: string; href: string };
  formKey: string;
  mode?: UploadMode;
  error?: string;
}) {
  const [problem, setProblem] = useState<string>();
  const refused = useMemo(
    (): SubmissionResult<string[]> | undefined => (error ? { status: "error", error: { file: [error] } } : undefined),
    [error],
  );
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = event.currentTarget;
    const tooMuch = wordsOfRefusal(chosenFiles(sent));
    setProblem(tooMuch);
    if (tooMuch) return void sent.querySelector<HTMLElement>("#file")?.focus();
    void sendByScript({ to, form: new FormData(sent), audience }).then((begun) =>
      begun ? sent.reset() : sent.submit(),
    );
  };
  const { fields, ...form } = useCheckedForm({ checks: fileChecks, refused, onSubmit: send });
  return (
    <section id="upload">
      <Card title="Upload files">
        <form method="post" action={to} encType="multipart/form-data" {...form.props} className="form-grid">
          <input type="hidden" name="idempotency_key" value={formKey} />
          <ChoiceField
            type="radio"
            name="mode"
            label="What the files do"
            options={uploadModes.map((value) => ({ value, label: uploadModeLabels[value], hint: modeHints[value] }))}
            chosen={[mode]}
          />
          <AudienceFileField errors={problem ? [problem] : fields.errors.file} />
          <div className="actions justify-end">
            <Button variant="primary" icon={Upload}>
              Upload
            </Button>
          </div>
        </form>
      </Card>
    </section>
  );
}
