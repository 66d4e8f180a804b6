import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";

const wordsOf: Partial<Record<number, string>> = {
  413: "The file is larger than 50 MB.",
  503: "We cannot take files at the moment. Try again in a minute.",
};

/**
 * Sends a form's file so that one sees how far it is; the page that the form leads to follows. Without scripting the form
 * is posted as it is. `sent` is the part that went out, 0 to 1; undefined while nothing is on its way.
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
    const fail = (words: string) => {
      setSent(undefined);
      setProblem(words);
    };
    upload.upload.addEventListener("progress", ({ loaded, total }) => setSent(total > 0 ? loaded / total : 0));
    upload.addEventListener("error", () => fail("The connection broke off. Send the file again."));
    upload.addEventListener("load", () => {
      // The answer is a redirect, which was followed to the import's own page.
      const { pathname } = new URL(upload.responseURL || "/", window.location.href);
      if (upload.status < 400 && pathname !== to) navigate(pathname);
      else fail(wordsOf[upload.status] ?? "The file could not be sent. Try again.");
    });
    upload.open("POST", to);
    upload.send(new FormData(event.currentTarget));
    setProblem(undefined);
    setSent(0);
  }
  return { sent, problem, send };
}
