import type { SubmissionResult } from "@conform-to/react";
import { useFetcher, useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import {
  enqueueBackgroundUpload,
  selectedFiles,
  uploadLimitError,
} from "#app/screens/publisher/audiences/background-upload.ts";
import { viewerField } from "#app/ui/form/viewer-field.ts";

/**
 * The response to a form without its files: the audience is created and its files may follow, or the form is rejected.
 */
export type CreatedAudience = { made: { name: string; href: string; next: string } };

/**
 * With scripting, creates the audience first and uploads its files in the background, so that form errors appear before
 * the upload and the chosen files are kept.
 */
export function useCreateAudienceWithFiles() {
  const fetcher = useFetcher<CreatedAudience | SubmissionResult<string[]>>();
  const navigate = useNavigate();
  const files = useRef<File[]>([]);
  const choices = useRef<[name: string, value: string][]>([]);
  const [problem, setProblem] = useState<string>();
  const response = fetcher.data;
  const created = response && "made" in response ? response.made : undefined;
  const handled = useRef<typeof created>(undefined);

  // Without dependencies: the router keeps a response outside of React's state, so a rendering that React drops may
  // have seen it, and the next one would not count as a change.
  useEffect(() => {
    if (!created || created === handled.current) return;
    handled.current = created;
    const form = new FormData();
    form.set("mode", "add");
    for (const [name, value] of choices.current) form.set(name, value);
    for (const file of files.current.splice(0)) form.append("file", file);
    if (!form.has("file")) return navigate(created.next);
    const audience = { name: created.name, href: created.href };
    const to = `${created.href}/uploads`;
    void enqueueBackgroundUpload({ to, form, audience }).then((start) =>
      navigate(start === "begun" ? created.next : to),
    );
  });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    files.current = selectedFiles(form);
    const rejected = uploadLimitError(files.current);
    setProblem(rejected);
    if (rejected) return void form.querySelector<HTMLElement>("#file")?.focus();
    const fields = new FormData(form);
    choices.current = [viewerField, "include_opt_outs", "encoding"].flatMap((name) => {
      const value = fields.get(name);
      return typeof value === "string" && value !== "" ? [[name, value] as [string, string]] : [];
    });
    fields.delete("file");
    fields.set("files", "later");
    fetcher.submit(fields, { method: "post", encType: "multipart/form-data" });
  };

  return {
    onSubmit,
    busy: fetcher.state !== "idle" || created !== undefined,
    rejected: response && !("made" in response) ? response : undefined,
    fileErrors: problem ? [problem] : undefined,
  };
}
