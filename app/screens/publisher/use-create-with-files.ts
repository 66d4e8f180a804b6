import type { SubmissionResult } from "@conform-to/react";
import { useFetcher, useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { chosenFiles, sendByScript, wordsOfRefusal } from "./script-upload.ts";

/** What a form without its files is answered: the audience is made, its files may follow; or the form is refused. */
export type Made = { made: { name: string; href: string; next: string } };

/**
 * With scripting an audience is made first and its files are sent beside the pages that follow: what is wrong with the form
 * is said before they are sent, and their choice is kept.
 */
export function useCreateWithFiles() {
  const fetcher = useFetcher<Made | SubmissionResult<string[]>>();
  const navigate = useNavigate();
  const files = useRef<File[]>([]);
  const [problem, setProblem] = useState<string>();
  const answer = fetcher.data;
  const made = answer && "made" in answer ? answer.made : undefined;

  useEffect(() => {
    if (!made) return;
    const form = new FormData();
    form.set("mode", "add");
    for (const file of files.current.splice(0)) form.append("file", file);
    if (!form.has("file")) return navigate(made.next);
    const audience = { name: made.name, href: made.href };
    const to = `${made.href}/uploads`;
    void sendByScript({ to, form, audience }).then((sent) => navigate(sent ? made.next : to));
  }, [made, navigate]);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    files.current = chosenFiles(form);
    const refused = wordsOfRefusal(files.current);
    setProblem(refused);
    if (refused) return void form.querySelector<HTMLElement>("#file")?.focus();
    const fields = new FormData(form);
    fields.delete("file");
    fields.set("files", "later");
    fetcher.submit(fields, { method: "post", encType: "multipart/form-data" });
  };

  return {
    onSubmit,
    busy: fetcher.state !== "idle" || made !== undefined,
    refused: answer && !("made" in answer) ? answer : undefined,
    fileErrors: problem ? [problem] : undefined,
  };
}
