import { uploadLimits } from "#app/domain/audiences/audience.ts";

/** The files chosen in a form. */
export function chosenFiles(form: HTMLFormElement): File[] {
  const chosen = new FormData(form).getAll("file");
  return chosen.flatMap((file) => (file instanceof File && file.name !== "" ? [file] : []));
}

/** Why files would be refused, told before they are sent. */
export function wordsOfRefusal(files: readonly File[]): string | undefined {
  const { fileBytes, files: most, totalBytes } = uploadLimits;
  if (files.length > most) return `Send at most ${most} files at once; the others can follow in another upload`;
  const large = files.find((file) => file.size > fileBytes);
  if (large) return `${large.name} is larger than ${fileBytes / 1024 / 1024} MB. Split it and send the parts`;
  const total = files.reduce((sum, file) => sum + file.size, 0);
  return total > totalBytes
    ? "These files are larger than 1 GB together. Send some of them in another upload"
    : undefined;
}

type Sending = { to: string; form: FormData; audience: { name: string; href: string } };

/** Sends files beside the page. False when the script for it cannot be had: then a form has to do it. */
export async function sendByScript(sending: Sending): Promise<boolean> {
  try {
    const { beginUpload } = await import("#app/portal/uploads/upload-queue.ts");
    beginUpload(sending);
    return true;
  } catch {
    return false;
  }
}
