import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** Generated media files for tests: small, valid, and with all the metadata that must be removed. */

/** The marker in every text and every location field: no stored file may contain it. */
export const leakMarker = "GPS-MARKER-52.5163N-13.3777E";

/** Returns an image that does not compress to almost nothing. */
function pixels(width: number, height: number, channels = 3, seed = 1): Buffer {
  const bytes = Buffer.alloc(width * height * channels);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 31 * seed + (at >> 7) * 17) % 256;
  return bytes;
}

export async function makeJpeg({ width = 60, height = 40, orientation = 1, seed = 1 } = {}): Promise<Buffer> {
  const raw = { width, height, channels: 3 as const };
  const plain = await sharp(pixels(width, height, 3, seed), { raw })
    .jpeg({ quality: 90 })
    .toBuffer();
  const segments = [
    segment(0xe1, Buffer.concat([latin("Exif\0\0"), exif(orientation)])),
    segment(0xe1, latin(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${leakMarker}</x:xmpmeta>`)),
    segment(0xed, latin(`Photoshop 3.0\0${leakMarker}`)),
    segment(0xfe, latin(leakMarker)),
  ];
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)]);
}

/** Returns little-endian TIFF data: the orientation, and a location as text. */
function exif(orientation: number): Buffer {
  const head = Buffer.from("II*\0\x08\0\0\0", "latin1");
  const entries = Buffer.alloc(2 + 2 * 12 + 4);
  entries.writeUInt16LE(2, 0);
  entries.writeUInt16LE(0x0112, 2);
  entries.writeUInt16LE(3, 4);
  entries.writeUInt32LE(1, 6);
  entries.writeUInt16LE(orientation, 10);
  entries.writeUInt16LE(0x010e, 14);
  entries.writeUInt16LE(2, 16);
  entries.writeUInt32LE(leakMarker.length + 1, 18);
  entries.writeUInt32LE(head.length + entries.length, 22);
  return Buffer.concat([head, entries, latin(`${leakMarker}\0`)]);
}

function segment(kind: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, kind, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

export function makePng({ width = 50, height = 30, seed = 1, more = [] as Buffer[] } = {}): Buffer {
  const lines = Buffer.concat(
    Array.from({ length: height }, (_, row) => Buffer.concat([Buffer.of(0), pixels(width, 1, 3, seed + row)])),
  );
  const described = [
    chunk("tEXt", latin(`Comment\0${leakMarker}`)),
    chunk("eXIf", exif(6)),
    chunk("prVt", latin(leakMarker)),
  ];
  return encodePng({ width, height, packed: deflateSync(lines), more: [...described, ...more] });
}

/** `packed` is the compressed image data of the PNG, whatever it decompresses to. */
export function encodePng({
  width = 1,
  height = 1,
  packed = Buffer.alloc(0) as Uint8Array,
  more = [] as Buffer[],
}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const chunks = [chunk("IHDR", header), ...more, chunk("IDAT", packed), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
}

export function chunk(type: string, content: Uint8Array): Buffer {
  const whole = Buffer.alloc(12 + content.length);
  whole.writeUInt32BE(content.length, 0);
  whole.write(type, 4, "latin1");
  whole.set(content, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + content.length)), 8 + content.length);
  return whole;
}

/** Returns a GIF with `frames` frames of 120 ms each. */
export async function makeGif({ width = 24, height = 16, frames = 3 } = {}): Promise<Buffer> {
  const raw = { width, height: height * frames, channels: 3 as const, pageHeight: height };
  const bytes = pixels(width, height * frames, 3, 7);
  const plain = await sharp(bytes, { raw })
    .gif({ delay: Array(frames).fill(120), loop: 0 })
    .toBuffer();
  const comment = Buffer.concat([Buffer.of(0x21, 0xfe, leakMarker.length), latin(leakMarker), Buffer.of(0)]);
  const colours = (plain[10] ?? 0) & 0x80 ? 3 * 2 ** (((plain[10] ?? 0) & 7) + 1) : 0;
  const begin = 13 + colours;
  return Buffer.concat([plain.subarray(0, begin), comment, plain.subarray(begin)]);
}

/**
 * Returns an MP4 built box by box: one video track with two samples, a camera's location, and the maker's text. (The
 * frames are not decodable, but the boxes are valid.)
 */
export function makeMp4({
  width = 320,
  height = 180,
  seconds = 2.5,
  turned = false,
  seed = 1,
  repeats = 1,
} = {}): Buffer {
  const [first, second] = [pixels(40, 10, 1, seed), pixels(30, 10, 1, seed + 1)];
  const places = latin(leakMarker);
  const data = [first, places, second, latin(`unused ${leakMarker}`)];
  const ftyp = mp4Box("ftyp", latin("isom"), u32(0x200), latin("isomavc1mp41"));
  const repeated = (values: number[]) => Array.from({ length: repeats }, () => values).flat();
  const brief = (offsets: number[][]) =>
    mp4Box(
      "moov",
      mp4Box("mvhd", u32(0, 3_900_000_000, 3_900_000_000, 1_000, seconds * 1_000), Buffer.alloc(80)),
      track({
        kind: "vide",
        width,
        height,
        turned,
        sizes: repeated([first.length, second.length]),
        offsets: repeated(offsets[0] ?? []),
      }),
      track({ kind: "meta", sizes: [places.length], offsets: offsets[1] ?? [] }),
      mp4Box("udta", mp4Box("\xa9xyz", latin(leakMarker)), mp4Box("meta", u32(0), latin(leakMarker))),
    );
  const at = ftyp.length + brief([[0, 0], [0]]).length + 8;
  const offsets = [[at, at + first.length + places.length], [at + first.length]];
  return Buffer.concat([ftyp, brief(offsets), mp4Box("mdat", ...data), mp4Box("uuid", latin(leakMarker.padEnd(32)))]);
}

type Track = { kind: string; width?: number; height?: number; turned?: boolean; sizes: number[]; offsets: number[] };

function track({ kind, width = 0, height = 0, turned = false, sizes, offsets }: Track): Buffer {
  const matrix = turned
    ? [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
    : [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
  const entry = mp4Box(kind === "vide" ? "avc1" : "mett", Buffer.alloc(24), u16(width, height), Buffer.alloc(50));
  return mp4Box(
    "trak",
    mp4Box(
      "tkhd",
      u32(1, 3_900_000_000, 3_900_000_000, 1, 0, 2_500, 0, 0, 0, 0),
      i32(matrix),
      u32(width << 16, height << 16),
    ),
    mp4Box(
      "mdia",
      mp4Box("mdhd", u32(0, 3_900_000_000, 3_900_000_000, 1_000, 2_500, 0)),
      mp4Box("hdlr", u32(0, 0), latin(kind), Buffer.alloc(12), latin(`${leakMarker}\0`)),
      mp4Box(
        "minf",
        mp4Box("vmhd", u32(1, 0, 0)),
        mp4Box("dinf", mp4Box("dref", u32(0, 1), mp4Box("url ", u32(1)))),
        mp4Box(
          "stbl",
          mp4Box("stsd", u32(0, 1), entry),
          mp4Box("stts", u32(0, 1, sizes.length, 1_000)),
          mp4Box("stsc", u32(0, 1, 1, 1, 1)),
          mp4Box("stsz", u32(0, 0, sizes.length, ...sizes)),
          mp4Box("stco", u32(0, offsets.length, ...offsets)),
        ),
      ),
    ),
  );
}

export function mp4Box(type: string, ...content: Buffer[]): Buffer {
  const inner = Buffer.concat(content);
  return Buffer.concat([u32(inner.length + 8), latin(type), inner]);
}

function u32(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => void bytes.writeUInt32BE(number, 4 * index));
  return bytes;
}

function i32(numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => void bytes.writeInt32BE(number, 4 * index));
  return bytes;
}

function u16(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length);
  numbers.forEach((number, index) => void bytes.writeUInt16BE(number, 2 * index));
  return bytes;
}

function latin(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
