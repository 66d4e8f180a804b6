import { createHash } from "node:crypto";

/** No word of the product, and no part of its words; every marker holds one of them. */
export const tokens = ["zqxvj", "49157770"];

/** An address that nobody has. */
export function markedEmail(index: number): string {
  return `zqxvj${index}@inbox${index % 7}.example.com`;
}

/** A number of a German mobile network, for fewer than 100,000. */
export function markedPhone(index: number): string {
  return `+4915777${String(index).padStart(6, "0")}`;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
