import { MediaError, mediaErrorMessages } from "./media.ts";

/** Reads a file from its start. Missing bytes mean that the file is truncated. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Returns the next bytes, without a copy, and moves past them. */
  readBytes(count: number): Uint8Array {
    this.require(count);
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  u8(): number {
    this.require(1);
    return this.view.getUint8(this.at++);
  }

  u16(littleEndian = false): number {
    this.require(2);
    this.at += 2;
    return this.view.getUint16(this.at - 2, littleEndian);
  }

  u32(littleEndian = false): number {
    this.require(4);
    this.at += 4;
    return this.view.getUint32(this.at - 4, littleEndian);
  }

  /** Throws for a number that JavaScript cannot represent exactly; no file is that large. */
  u64(): number {
    const number = this.u32() * 2 ** 32 + this.u32();
    if (!Number.isSafeInteger(number)) throw new MediaError(mediaErrorMessages.damaged);
    return number;
  }

  text(count: number): string {
    return latin1(this.readBytes(count));
  }

  private require(count: number): void {
    if (count > this.left) throw new MediaError(mediaErrorMessages.truncated);
  }
}

/** Decodes each byte as the character with its number. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
