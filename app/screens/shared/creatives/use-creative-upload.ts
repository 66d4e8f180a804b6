import { useCallback, useEffect, useRef, useState } from "react";
import { usePageViewer } from "#app/ui/link.tsx";
import type { SendingFile, SentFile } from "./upload-creative-file.ts";

/** One file that is being uploaded by script; `sent` is 0 to 1. */
export type UploadingFile = { key: number; file: File; sent: number; error?: string; retryable?: boolean };

/**
 * With scripting, files are uploaded as soon as they are selected, one after another, each with its own progress and
 * error; those that are selected meanwhile follow. `uploadedIds` are the ids that were uploaded and not `listed` since;
 * `onDone` receives those of a selection at its end. `retry` uploads those again whose upload was interrupted.
 */
export function useCreativeUpload({
  to,
  onDone,
  listed,
}: {
  to: string;
  onDone: (ids: string[]) => void;
  listed: readonly { id: string }[];
}) {
  const viewer = usePageViewer();
  const [files, setFiles] = useState<readonly UploadingFile[]>([]);
  const [uploadedIds, setUploadedIds] = useState<readonly string[]>([]);
  const done = useRef(onDone);
  done.current = onDone;
  const nextKey = useRef(0);
  const sending = useRef(Promise.resolve());
  const leaving = useRef<AbortController>();
  useEffect(
    () => () => {
      leaving.current?.abort();
      leaving.current = undefined;
    },
    [],
  );

  // Once and for all: a file that is listed may be deselected, and left out of the list later.
  useEffect(() => {
    const isListed = new Set(listed.map(({ id }) => id));
    setUploadedIds((now) => (now.some((id) => isListed.has(id)) ? now.filter((id) => !isListed.has(id)) : now));
  }, [listed]);

  const send = useCallback(
    (chosen: readonly File[]) => {
      leaving.current ??= new AbortController();
      const { signal } = leaving.current;
      const change = (key: number, changes: Partial<UploadingFile>) =>
        setFiles((now) => now.map((file) => (file.key === key ? { ...file, ...changes } : file)));
      const batch = chosen.map((file) => {
        nextKey.current += 1;
        return { key: nextKey.current, file, sent: 0 };
      });
      const upload = async () => {
        if (signal.aborted) return;
        const ids: string[] = [];
        for (const [place, { key, file }] of batch.entries()) {
          const onProgress = (sent: number) => change(key, { sent });
          const response = await sendFile({ to, viewer, file, place, signal, onProgress });
          if (signal.aborted) return;
          ids.push(...response.ids);
          setUploadedIds((now) => [...new Set([...now, ...response.ids])]);
          change(key, { sent: 1, error: response.error, retryable: response.retryable });
        }
        setFiles((now) => now.filter(({ key, error }) => error !== undefined || !batch.some((one) => one.key === key)));
        if (ids.length > 0) done.current(ids);
      };
      // Earlier errors stay while files are uploaded, and with them the way to upload those again.
      setFiles((now) => [...(now.some(({ error }) => error === undefined) ? now : []), ...batch]);
      sending.current = sending.current.then(upload);
    },
    [to, viewer],
  );
  const busy = files.some(({ error }) => error === undefined);
  const retryable = files.flatMap((file) => (file.retryable ? [file.file] : []));
  const retry = busy || retryable.length === 0 ? undefined : () => send(retryable);
  return { files, uploadedIds, busy, send, retry };
}

/**
 * Loads the script that sends files, once there is one to send. If it cannot be loaded, the upload can be tried again.
 */
async function sendFile(sending: SendingFile): Promise<SentFile> {
  try {
    const { uploadCreativeFile } = await import("./upload-creative-file.ts");
    return await uploadCreativeFile(sending);
  } catch {
    return { ids: [], error: "The connection was lost", retryable: true };
  }
}
