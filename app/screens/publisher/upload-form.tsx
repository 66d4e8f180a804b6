import { Upload } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type UploadMode, uploadModeLabels, uploadModes } from "#app/domain/audiences/audience.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { Card } from "#app/ui/layout.tsx";
import { AudienceFileField } from "./audience-files.tsx";
import { chosenFiles, sendByScript, wordsOfRefusal } from "./script-upload.ts";

const modeHints: Record<UploadMode, string> = {
  add: "New people join, the others stay",
  replace: "Only the people of the new files remain",
  remove: "The people of the files leave",
};

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
  const [problem, setProblem] = useState(error);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const files = chosenFiles(form);
    const refused = files.length === 0 ? "Choose at least one file" : wordsOfRefusal(files);
    setProblem(refused);
    if (refused) return void form.querySelector<HTMLElement>("#file")?.focus();
    void sendByScript({ to, form: new FormData(form), audience }).then((sent) => (sent ? form.reset() : form.submit()));
  };
  return (
    <section id="upload">
      <Card title="Upload files">
        <form method="post" action={to} encType="multipart/form-data" className="form-grid" onSubmit={onSubmit}>
          <input type="hidden" name="idempotency_key" value={formKey} />
          <ChoiceField
            type="radio"
            name="mode"
            label="What the files do"
            options={uploadModes.map((value) => ({ value, label: uploadModeLabels[value], hint: modeHints[value] }))}
            chosen={[mode]}
          />
          <AudienceFileField errors={problem ? [problem] : undefined} />
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
