import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";

type Part = { name: string; value: string } | { name: string; fileName: string; content: Hash };

/** Hashes the fields and files of a form as they are read, however they are read. */
export class ContentHash {
  private readonly parts: Part[] = [];

  addField(name: string, value: string): void {
    this.parts.push({ name, value });
  }

  addFile(name: string, { fileName, stream }: { fileName: string; stream: Readable }): void {
    const content = createHash("sha256");
    stream.on("data", (piece: Buffer) => content.update(piece));
    this.parts.push({ name, fileName, content });
  }

  /** Returns the SHA-256 of what was read. */
  digest(): string {
    const parts = this.parts.map((part) =>
      "content" in part ? { ...part, content: part.content.copy().digest("hex") } : part,
    );
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }
}
