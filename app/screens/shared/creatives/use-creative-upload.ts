import { useCallback, useEffect, useRef, useState } from "react";
import { creativeLimits } from "#app/domain/creatives/creative.ts";
import { postCreative } from "./post-creative.ts";

/** One file on its way, by a script; `sent` from 0 to 1. */
export type SentFile = { key: number; name: string; sent: number; error?: string };

/**
 * With scripting files are sent as soon as they are chosen, one after another, each with its own progress and its own error.
 * `taken` are the ids of those that are there while others are on their way; `onDone` gets all of them at the end.
 */
export function useCreativeUpload({ to, onDone }: { to: string; onDone: (ids: string[]) => void }) {
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const [taken, setTaken] = useState<readonly string[]>([]);
  const done = useRef(onDone);
  done.current = onDone;
  const leaving = useRef<AbortController>();
  useEffect(() => () => leaving.current?.abort(), []);

  const send = useCallback(
    async (chosen: readonly File[]) => {
      leaving.current?.abort();
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      const change = (key: number, changes: Partial<SentFile>) =>
        setFiles((now) => now.map((file) => (file.key === key ? { ...file, ...changes } : file)));
      setFiles(chosen.map((file, key) => ({ key, name: file.name, sent: 0, error: wordsOfRefusal(file, key) })));
      const ids: string[] = [];
      for (const [key, file] of chosen.entries()) {
        if (wordsOfRefusal(file, key)) continue;
        const answer = await postCreative({ to, file, signal, onProgress: (sent) => change(key, { sent }) });
        if (signal.aborted) return;
        ids.push(...answer.ids);
        setTaken([...ids]);
        change(key, { sent: 1, error: answer.error });
      }
      setFiles((now) => now.filter(({ error }) => error !== undefined));
      setTaken([]);
      if (ids.length > 0) done.current(ids);
    },
    [to],
  );
  const busy = files.some(({ error }) => error === undefined);
  return { files, taken, busy, send };
}

/** Why a file would be refused, told before it is sent. */
function wordsOfRefusal(file: File, place: number): string | undefined {
  const { fileBytes, files } = creativeLimits;
  if (place >= files) return `Send at most ${files} files at once; this one can follow.`;
  return file.size > fileBytes ? `The file is larger than ${fileBytes / 1024 / 1024} MB.` : undefined;
}
