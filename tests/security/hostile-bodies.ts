import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";

export type HostileBody = { type: string; bytes: Uint8Array<ArrayBuffer> };
type Pair = readonly [name: string, value: string];

const app = resolve(import.meta.dirname, "../../app");
const source = readdirSync(app, { recursive: true, encoding: "utf8" })
  .filter((path) => /^(?:screens|ui|portal|domain)\/.*\.tsx?$/.test(path))
  .map((path) => readFileSync(join(app, path), "utf8"))
  .join("\n");

/** Names and values that the screens' forms really have, found in their source: so a new form's are among them. */
const fieldNames = found(/\bname="(\w+)"/g);
const intents = found(/(?:\bintent\b["']?\s*[:=]\s*(?:\w+\.literal\()?|\bvalue=)["']([\w-]+)["']/g);

function found(pattern: RegExp): string[] {
  return [...new Set([...source.matchAll(pattern)].map(([, text = ""]) => text))].filter((text) => text !== "");
}

const boundary = "form-boundary";
const long = 60_000;
const hostileNames = [
  "name[501]",
  "name[5000000]",
  "name[99999999]",
  "name[4294967294]",
  "name[4294967295]",
  "name[99999999999999999999]",
  "name[-1]",
  "name[1e9]",
  "name[500][500][500][500][500]",
  "a.b.c.d.e.f.g",
  "a.".repeat(20_000),
  "[0]".repeat(10_000),
  ".",
  "..",
  "a.",
  "[",
  "]",
  "a[",
  "a]b",
  "[]",
  "",
  " ",
  "\0",
  "a\0b",
  "__proto__",
  "__proto__.a",
  "constructor",
  "constructor.prototype.a",
  "prototype",
  "toString",
  "hasOwnProperty",
  "length",
  "then",
  "toJSON",
  "x".repeat(201),
  "x".repeat(long),
  "é".repeat(200),
  "\u202e",
];
const controls = ["__intent__", "__state__", "__INTENT__", "__submission__"];
const controlValues = [
  "",
  "{",
  "null",
  "[]",
  "1",
  '"x"',
  "{}",
  '{"type":"update","payload":{"name":"name[4294967294]","value":1}}',
  '{"type":"insert","payload":{"name":"name","index":4294967294}}',
  '{"type":"reorder","payload":{"name":"name","from":99999999,"to":0}}',
  '{"type":"validate","payload":{"name":"a.b.c"}}',
  '{"type":"reset","payload":{}}',
  '{"validated":{"__proto__":true}}',
  "[".repeat(30_000),
];
const values = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ufffe",
  "null",
  "-1",
  "1e400",
  "9".repeat(400),
  "1,000,000,000,000",
  "$1.005",
  "2026-02-30",
  "99999-01-01",
  "00000000-0000-7000-8000-000000000000",
  "http://127.0.0.1:1/",
  "http://[::1",
  "javascript:alert(1)",
  "' or 1=1 --",
  "<script>alert(1)</script>",
  "{}",
  "a@b.".repeat(10_000),
  "a".repeat(long),
  " ".repeat(long),
  "é".repeat(long / 2),
  "1".repeat(long),
  "-".repeat(long),
  ".".repeat(long),
  "\n".repeat(long),
  "a,\n".repeat(long / 3),
  "🧁".repeat(long / 4),
];

const anyName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...fieldNames) },
  { weight: 2, arbitrary: fc.constantFrom(...hostileNames) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
);
const anyValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...values) },
  { weight: 2, arbitrary: fc.constantFrom(...intents) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.integer().map(String) },
);
const intent = fc.constantFrom(...intents).map((value): Pair => ["intent", value]);
const control = fc.tuple(fc.constantFrom(...controls), fc.constantFrom(...controlValues));
const pairs = fc
  .tuple(
    fc.array(fc.tuple(anyName, anyValue), { maxLength: 12 }),
    fc.option(intent, { nil: undefined, freq: 3 }),
    fc.array(control, { maxLength: 2 }),
    fc.nat({ max: 4 }),
  )
  .map(([fields, first, control, withControl]) => [
    ...(first ? [first] : []),
    ...fields,
    ...(withControl === 0 ? control : []),
  ]);

/** Megabytes, which are made once. */
const brokenForms = makeBrokenForms();

/** Bodies that a form may get: by names that it has and has not, as pairs and as parts, whole and broken. */
export const anyForm: fc.Arbitrary<HostileBody> = fc.oneof(
  { weight: 6, arbitrary: pairs.map(asPairs) },
  { weight: 4, arbitrary: fc.tuple(pairs, fc.nat({ max: 3 })).map(([fields, kind]) => asParts(fields, kind)) },
  { weight: 1, arbitrary: fc.constantFrom(...brokenForms) },
);

/** One of each kind that once did harm, for every form. */
export function worstForms(): HostileBody[] {
  return [
    asPairs([["name[4294967294]", "1"]]),
    asPairs([["name[5000000]", "1"]]),
    asPairs([["__state__", "{"]]),
    asPairs([["__intent__", "null"]]),
    asPairs([
      ["__intent__", "{}"],
      ["__intent__", "{}"],
    ]),
    asPairs([["a.".repeat(20_000), "1"]]),
    asParts([["name[4294967294]", "1"]], 0),
    asParts([["name", "1"]], 1),
    namelessFile(),
    ...brokenForms,
  ];
}

function asPairs(fields: readonly Pair[]): HostileBody {
  return body(
    "application/x-www-form-urlencoded",
    new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
  );
}

/** `kind`: all as text, all as files, files without a name, or one and the other. */
function asParts(fields: readonly Pair[], kind: number): HostileBody {
  const parts = fields.map(([name, value], index) => {
    const asFile = kind === 1 || (kind === 3 && index % 2 === 0);
    const filename = asFile ? '; filename="a.csv"' : kind === 2 ? '; filename=""' : "";
    const escaped = name.replace(/[\r\n"]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    return `--${boundary}\r\nContent-Disposition: form-data; name="${escaped}"${filename}\r\n\r\n${value}\r\n`;
  });
  return body(`multipart/form-data; boundary=${boundary}`, `${parts.join("")}--${boundary}--\r\n`);
}

function namelessFile(): HostileBody {
  const part = `--${boundary}\r\nContent-Disposition: form-data; filename="a"\r\n\r\n1\r\n`;
  return body(`multipart/form-data; boundary=${boundary}`, `${part}--${boundary}--`);
}

function makeBrokenForms(): HostileBody[] {
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="a"`;
  const multipart = `multipart/form-data; boundary=${boundary}`;
  return [
    body("application/x-www-form-urlencoded", "a&".repeat(30_000)),
    body("application/x-www-form-urlencoded", "%".repeat(long)),
    body("application/x-www-form-urlencoded", "name=%ff%fe%00%c0%80&%ff=1"),
    body("application/x-www-form-urlencoded", "a=".repeat(30_000)),
    body("application/x-www-form-urlencoded", "a".repeat(2 * 1024 * 1024)),
    body("application/x-www-form-urlencoded; charset=utf-16", "name=a"),
    body("application/x-www-form-urlencoded", ""),
    body("multipart/form-data", "name=a"),
    body("multipart/form-data; boundary=", "name=a"),
    body(`multipart/form-data; boundary=${"b".repeat(5_000)}`, "name=a"),
    body(multipart, ""),
    body(multipart, "name=a"),
    body(multipart, `--${boundary}--`),
    body(multipart, `${part}\r\n\r\ncut off`),
    body(multipart, `${part}\r\nX: ${"y".repeat(200_000)}\r\n\r\n1\r\n--${boundary}--`),
    body(multipart, `${part}\r\n${"X: y\r\n".repeat(10_000)}\r\n1\r\n--${boundary}--`),
    body(multipart, `${`${part}\r\n\r\n1\r\n`.repeat(10_000)}--${boundary}--`),
    body(multipart, `${`${part}; filename="a"\r\n\r\n1\r\n`.repeat(10_000)}--${boundary}--`),
    body(multipart, `--${boundary}\r\nContent-Disposition: form-data\r\n\r\n1\r\n--${boundary}--`),
    body(multipart, `--${boundary}\r\nContent-Type: text/plain; charset=none\r\n\r\n1\r\n--${boundary}--`),
    body(multipart, `--${boundary}\r\n`.repeat(20_000)),
    body(multipart, "\r\n--form-boundar".repeat(20_000)),
    body("application/json", '{"name":"a"}'),
    body("text/plain", "name=a"),
    body("", "name=a"),
  ];
}

function body(type: string, content: string): HostileBody {
  return { type, bytes: new Uint8Array(Buffer.from(content)) };
}

/**
 * Bodies of JSON that are none, or that a parser, a schema or the database could stumble over; `known` is one of the
 * call's fields.
 */
export function worstJson(known: string): HostileBody[] {
  const json = "application/json";
  const key = JSON.stringify(known);
  return [
    ...[
      "[".repeat(60_000),
      '{"a":'.repeat(10_000),
      `{${'"a":1,'.repeat(9_000)}"b":1}`,
      `{${key}:[${"1,".repeat(11_000)}1]}`,
      `{${key}:[${"1,".repeat(30_000)}1]}`,
      `{${key}:[${"{},".repeat(11_000)}{}]}`,
      `{${key}:{${'"a":{},'.repeat(8_000)}"b":1}}`,
      `{${key}:"${"a".repeat(60_000)}"}`,
      `{${key}:"${"a@".repeat(30_000)}"}`,
      `{${key}:"${" ".repeat(60_000)}"}`,
      `{${key}:${"9".repeat(60_000)}}`,
      `{${key}:"\\u0000"}`,
      `{${key}:"\\ud800"}`,
      `{${key}:["\\u0000","\\udfff"]}`,
      `{${key}:{"__proto__":{"a":1}}}`,
      `{"__proto__":{${key}:1},"constructor":{"prototype":{"a":1}}}`,
      `{"\\u0000":1,"":2,"\\ud800":3}`,
      `{${key}:1,${key}:[],${key}:null}`,
      `{${key}:-0}`,
      `{${key}:1e400}`,
      '"',
      "\0",
      "\ufeff{}",
      "{} {}",
      "",
      "a".repeat(2 * 1024 * 1024),
    ].map((content) => body(json, content)),
    { type: json, bytes: Uint8Array.of(0x7b, 0xff, 0x7d) },
    { type: json, bytes: Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0) },
    body("application/json; charset=utf-16", "{}"),
    body("application/json; charset=", "{}"),
    body("application/xml", "<a/>"),
    body("text/csv", "a,b\n1,2\n"),
    body("application/x-ndjson", "{}\n{}"),
    ...brokenForms,
  ];
}
