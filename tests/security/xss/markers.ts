import { createHash } from "node:crypto";

/** Occurs in no text of the product; every marker contains one of them. */
export const tokens = ["zqxvj", "49157770"];

/** An email address that belongs to nobody. */
export function markedEmail(index: number): string {
  return `zqxvj${index}@inbox${index % 7}.example.com`;
}

/** Returns a German mobile phone number for an index below 100,000. */
export function markedPhone(index: number): string {
  return `+4915777${String(index).padStart(6, "0")}`;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
