import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { tooManyOpenImports } from "#app/domain/catalog/imports/catalog-import.ts";
import { otherViewerMessage, otherViewerStatus } from "#app/ui/form/other-viewer.ts";

const describeUpload: Partial<Record<number, string>> = {
  409: tooManyOpenImports,
  [otherViewerStatus]: otherViewerMessage,
  413: "The file is larger than 50 MB. Split it and upload the parts.",
  503: "We cannot take files at the moment. Try again in a minute.",
};

/**
 * Uploads a form's file with progress, then loads the page that the response redirects to. Without scripting the form
 * is posted natively. `sent` is the uploaded part, 0 to 1; undefined while nothing is being uploaded.
 */
export function useFileUpload(to: string) {
  const navigate = useNavigate();
  const request = useRef<XMLHttpRequest>();
  const [sent, setSent] = useState<number>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => () => request.current?.abort(), []);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sent !== undefined) return;
    const upload = new XMLHttpRequest();
    request.current = upload;
    const fail = (message: string) => {
      setSent(undefined);
      setProblem(message);
    };
    upload.upload.addEventListener("progress", ({ loaded, total }) => setSent(total > 0 ? loaded / total : 0));
    upload.addEventListener("error", () => fail("The connection was lost. Upload the file again."));
    upload.addEventListener("load", () => {
      // The response is a redirect, already followed to the import's page.
      const { pathname } = new URL(upload.responseURL || "/", window.location.href);
      if (upload.status < 400 && pathname !== to) navigate(pathname);
      else fail(describeUpload[upload.status] ?? "The upload failed. Try again.");
    });
    const form = new FormData(event.currentTarget);
    const file = form.get("file");
    // Another file is another import, also when the response to the one before was lost.
    if (file instanceof File)
      form.set("idempotency_key", `${form.get("idempotency_key")}-${file.size}-${file.lastModified}`);
    upload.open("POST", to);
    upload.send(form);
    setProblem(undefined);
    setSent(0);
  }
  return { sent, problem, send };
}
