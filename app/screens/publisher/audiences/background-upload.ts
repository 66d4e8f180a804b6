import { uploadLimits } from "#app/domain/audiences/audience.ts";

/** Returns the files selected in a form. */
export function selectedFiles(form: HTMLFormElement): File[] {
  const chosen = new FormData(form).getAll("file");
  return chosen.flatMap((file) => (file instanceof File && file.name !== "" ? [file] : []));
}

/** Returns why the files would be rejected, before they are sent. */
export function uploadLimitError(files: readonly File[]): string | undefined {
  const { fileBytes, files: maxFiles, totalBytes } = uploadLimits;
  if (files.length > maxFiles) return `Upload up to ${maxFiles} files at a time. Upload the rest separately.`;
  const large = files.find((file) => file.size > fileBytes);
  if (large) return `${large.name} is larger than ${fileBytes / 1024 / 1024} MB. Split it and upload the parts.`;
  const total = files.reduce((sum, file) => sum + file.size, 0);
  return total > totalBytes ? "These files exceed 1 GB in total. Upload some of them separately." : undefined;
}

type Sending = { to: string; form: FormData; audience: { name: string; href: string } };

/**
 * Uploads files in the background. If the upload's script can't be loaded, returns whether the server responds: then
 * the page is that of an old build, and a form must send the files.
 */
export async function enqueueBackgroundUpload(sending: Sending): Promise<"begun" | "old" | "lost"> {
  try {
    const [{ enqueueUpload }] = await Promise.all([
      import("#app/portal/uploads/upload-queue.ts"),
      // Shows the upload. A page without its script would be replaced by an error.
      import("#app/portal/uploads/upload-tray.tsx"),
    ]);
    enqueueUpload(sending);
    return "begun";
  } catch {
    const response = await fetch(sending.audience.href, { method: "HEAD" }).catch(() => undefined);
    return response?.ok ? "old" : "lost";
  }
}
