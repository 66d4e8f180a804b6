import { useRef } from "react";
import { creativeLimits } from "#app/domain/creatives/creative.ts";
import { Button } from "#app/ui/button.tsx";
import { DropZone } from "#app/ui/drop-zone.tsx";
import { FileField } from "#app/ui/file-field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { creativeFilesField } from "./creative-files-field.ts";
import { useCreativeUpload } from "./use-creative-upload.ts";

/**
 * File upload inside a form. Without scripting the files are sent with the form, by its submit button or by an upload
 * button; with scripting they are sent to `to` as soon as they are selected or dropped, and `onUploaded` receives their
 * ids.
 */
export function CreativeUpload({
  to,
  onUploaded,
  listed,
  errors = [],
}: {
  to: string;
  onUploaded: (ids: string[]) => void;
  /** The creatives that the page lists; those of a form are its checkboxes. */
  listed: readonly { id: string }[];
  /** One message for each rejected file. */
  errors?: readonly string[];
}) {
  const place = useRef<HTMLDivElement>(null);
  const onDone = (ids: string[]) => {
    tickListed(place.current?.closest("form"), ids);
    onUploaded(ids);
  };
  const { files, uploadedIds, busy, send, retry } = useCreativeUpload({ to, onDone, listed });
  return (
    <div
      ref={place}
      className="creative-upload"
      onChange={(event) => {
        const input = event.target;
        if (!(input instanceof HTMLInputElement) || input.type !== "file" || !input.files?.length) return;
        // The form is notified when the upload is complete.
        event.stopPropagation();
        send([...input.files]);
        input.value = "";
      }}
    >
      <DropZone>
        <FileField
          name={creativeFilesField}
          label="Upload creatives"
          hint={`JPG, PNG, MP4, GIF up to 50MB each, ${creativeLimits.perUpload} files at a time`}
          multiple
          accept=".jpg,.jpeg,.png,.gif,.mp4,image/jpeg,image/png,image/gif,video/mp4"
          invalid={errors.length > 0}
        />
      </DropZone>
      <FileErrors errors={errors} />
      <noscript>
        <Button name="intent" value="upload" icon="upload">
          Upload
        </Button>
      </noscript>
      {/* What the form saves before they are listed includes them. */}
      {uploadedIds.map((id) => (
        <input key={id} type="hidden" name="creative_ids" value={id} />
      ))}
      <ul className="creative-progress" aria-live="polite" aria-busy={busy}>
        {files.map(({ key, file: { name }, sent, error }) =>
          error ? (
            <li key={key}>
              <FileError>{`${name}: ${error}`}</FileError>
            </li>
          ) : (
            <li key={key}>
              <span>{name}</span>
              <Progress value={sent} label={`${name} uploaded`} />
            </li>
          ),
        )}
      </ul>
      {retry ? (
        <div className="actions">
          <Button type="button" icon="rotate-ccw" onClick={retry}>
            Try again
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Checks a file that the account already has in its list. */
function tickListed(form: HTMLFormElement | null | undefined, ids: readonly string[]) {
  const listed = form?.querySelectorAll<HTMLInputElement>("input[type=checkbox][name=creative_ids]") ?? [];
  for (const input of listed) if (ids.includes(input.value)) input.checked = true;
}

function FileErrors({ errors }: { errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <ul className="creative-progress" id={`${creativeFilesField}-error`}>
      {errors.map((message) => (
        <li key={message}>
          <FileError>{message}</FileError>
        </li>
      ))}
    </ul>
  );
}

function FileError({ children }: { children: string }) {
  return (
    <p className="error file-error">
      <Icon name="circle-exclamation-point" />
      <span>{children}</span>
    </p>
  );
}
