import { unseen } from "../audiences/files/file-name.ts";

const longest = 120;

/** A file's name as it is kept and shown: one line of text, never a path. (`logo@2x.png` is nobody's address.) */
export function creativeName(sent: string): string {
  const last = sent.split(/[/\\]/).at(-1) ?? "";
  const seen = last.normalize("NFC").replace(unseen, "").trim();
  return [...seen].slice(0, longest).join("") || "Untitled";
}
