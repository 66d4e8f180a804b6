import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";

const credentials = { accessKeyId: "TESTKEY", secretAccessKey: "a secret of the tests" };
const region = "us-east-1";
const pageSize = 3;

type Stored = { body: Buffer; etag: string; type: string; modified: Date };
/** An object's version; without an object it is a delete marker. */
type Version = { key: string; id: string; object: Stored | undefined };
type Upload = { key: string; type: string; begun: Date; parts: Map<number, Buffer> };

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/**
 * An in-memory fake of the parts of S3 that the product uses, over HTTP: put, multipart, get with ranges, delete, lists
 * in pages of three, and versions if the bucket keeps them. Rejects requests with an invalid signature (version 4);
 * `fail` makes the next ones fail. Some compatible services do not list unfinished uploads, nor versions.
 */
export async function startS3Server({ listsUploads = true, keepsVersions = false } = {}) {
  const objects = new Map<string, Stored>();
  const versions: Version[] = [];
  const uploads = new Map<string, Upload>();
  const requests: string[] = [];
  let failures = 0;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://s3");
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const { status, body, headers } = answerTo({ request, url, body: await bodyOf(request) });
    response.writeHead(status, { "x-amz-request-id": "test", ...headers }).end(body);
  });

  function answerTo({ request, url, body }: Omit<S3Request, "key">): Reply {
    if (failures > 0) {
      failures -= 1;
      return reply(503, errorXml("SlowDown"));
    }
    if (!isSigned(request, url, body)) return reply(403, errorXml("SignatureDoesNotMatch"));
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/");
    if (bucket !== "bucket") return reply(404, errorXml("NoSuchBucket"));
    return respond({ request, url, body, key: rest.join("/") });
  }

  function respond(requested: S3Request): Reply {
    const { request, url, key } = requested;
    const uploadId = url.searchParams.get("uploadId");
    if (request.method === "GET" && key === "") return listOf(requested);
    if (request.method === "GET") return getObject(requested);
    if (request.method === "POST" && url.searchParams.has("uploads")) return beginUpload(requested);
    if (uploadId) return continueUpload(requested, uploadId);
    if (request.method === "PUT") {
      const etag = etagOf(requested.body);
      store(key, { body: requested.body, etag, type: typeOf(request), modified: new Date() });
      return reply(200, "", { ETag: etag });
    }
    if (request.method === "DELETE") {
      remove(key, url.searchParams.get("versionId"));
      return reply(204);
    }
    return reply(405, errorXml("MethodNotAllowed"));
  }

  function store(key: string, object: Stored | undefined): void {
    if (object) objects.set(key, object);
    else objects.delete(key);
    if (!keepsVersions) versions.splice(0, versions.length, ...versions.filter((one) => one.key !== key));
    if (keepsVersions || object) versions.push({ key, id: keepsVersions ? randomUUID() : "null", object });
  }

  function remove(key: string, versionId: string | null): void {
    if (versionId === null) {
      store(key, undefined);
      return;
    }
    const at = versions.findIndex((one) => one.key === key && one.id === versionId);
    if (at >= 0) versions.splice(at, 1);
    const newest = versions.findLast((one) => one.key === key)?.object;
    if (newest) objects.set(key, newest);
    else objects.delete(key);
  }

  function getObject({ request, key }: S3Request): Reply {
    const found = objects.get(key);
    if (!found) return reply(404, errorXml("NoSuchKey"));
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const headers = { "Content-Type": found.type, ETag: found.etag };
    if (start === undefined || end === undefined) return reply(200, found.body, headers);
    const part = found.body.subarray(Number(start), Number(end) + 1);
    return reply(206, part, { ...headers, "Content-Range": `bytes ${start}-${end}/${found.body.length}` });
  }

  function beginUpload({ request, key }: S3Request): Reply {
    const id = randomUUID();
    uploads.set(id, { key, type: typeOf(request), begun: new Date(), parts: new Map() });
    return reply(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  function continueUpload({ request, url, body }: S3Request, id: string): Reply {
    const upload = uploads.get(id);
    if (!upload) return reply(404, errorXml("NoSuchUpload"));
    if (request.method === "PUT") {
      upload.parts.set(Number(url.searchParams.get("partNumber")), body);
      return reply(200, "", { ETag: etagOf(body) });
    }
    uploads.delete(id);
    if (request.method === "DELETE") return reply(204);
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, part]) => Number(part));
    const parts = named.map((part) => upload.parts.get(part) ?? Buffer.alloc(0));
    if (parts.slice(0, -1).some((part) => part.length < 5 * 1024 * 1024)) {
      return reply(400, errorXml("EntityTooSmall"));
    }
    const whole = Buffer.concat(parts);
    store(upload.key, { body: whole, etag: etagOf(whole), type: upload.type, modified: new Date() });
    return reply(200, `<CompleteMultipartUploadResult><Key>${upload.key}</Key></CompleteMultipartUploadResult>`);
  }

  function listOf({ url }: S3Request): Reply {
    const begin = url.searchParams.get("prefix") ?? "";
    if (url.searchParams.has("uploads")) return listUploads(begin, url);
    if (url.searchParams.has("versions")) return listVersions(begin, url);
    const after = url.searchParams.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(begin) && key > after).sort();
    const page = keys.slice(0, pageSize);
    const xml = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.modified.toISOString()}</LastModified></Contents>`,
    );
    const more = keys.length > pageSize;
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    return reply(200, `<ListBucketResult>${xml.join("")}<IsTruncated>${more}</IsTruncated>${next}</ListBucketResult>`);
  }

  function listUploads(begin: string, url: URL): Reply {
    if (!listsUploads) return reply(501, errorXml("NotImplemented"));
    const after = url.searchParams.get("key-marker") ?? "";
    const found = [...uploads].filter(([, { key }]) => key.startsWith(begin) && key > after);
    const sorted = found.sort(([, one], [, other]) => (one.key < other.key ? -1 : 1));
    const page = sorted.slice(0, pageSize);
    const xml = page.map(
      ([id, { key, begun }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
    );
    const isTruncated = sorted.length > pageSize;
    const [id, last] = page.at(-1) ?? [];
    const next = `<NextKeyMarker>${last?.key}</NextKeyMarker><NextUploadIdMarker>${id}</NextUploadIdMarker>`;
    return reply(
      200,
      `<ListMultipartUploadsResult>${xml.join("")}<IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? next : ""}</ListMultipartUploadsResult>`,
    );
  }

  function listVersions(begin: string, url: URL): Reply {
    if (!listsUploads) return reply(501, errorXml("NotImplemented"));
    const own = versions.filter(({ key }) => key.startsWith(begin));
    const from = startOfPage(own, url);
    const page = own.slice(from, from + pageSize);
    const xml = page.map(({ key, id, object }) => {
      const tag = object ? "Version" : "DeleteMarker";
      return `<${tag}><Key>${key}</Key><VersionId>${id}</VersionId></${tag}>`;
    });
    const last = page.at(-1);
    const isTruncated = last !== undefined && last !== own.at(-1);
    const next = `<NextKeyMarker>${last?.key}</NextKeyMarker><NextVersionIdMarker>${last?.id}</NextVersionIdMarker>`;
    return reply(
      200,
      `<ListVersionsResult>${xml.join("")}<IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? next : ""}</ListVersionsResult>`,
    );
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  return {
    settings: { bucket: "bucket", region, endpoint: `http://127.0.0.1:${address.port}`, credentials, prefix: "files/" },
    objects,
    /** All versions and delete markers of all objects, the oldest first. */
    versions,
    uploads,
    /** The method and URL of each request. */
    seen: requests,
    fail: (requests: number) => {
      failures = requests;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

type S3Request = { request: IncomingMessage; url: URL; body: Buffer; key: string };
type Reply = { status: number; body: string | Buffer; headers: Record<string, string> };

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  return request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
}

/**
 * Returns where the page after the markers begins. As in Ceph, one after a version that was deleted begins with the
 * next key.
 */
function startOfPage(versions: Version[], url: URL): number {
  const marker = url.searchParams.get("key-marker");
  if (marker === null) return 0;
  const last = versions.findIndex(({ id }) => id === url.searchParams.get("version-id-marker"));
  if (last >= 0) return last + 1;
  const next = versions.findIndex(({ key }) => key > marker);
  return next >= 0 ? next : versions.length;
}

/** Verifies a version 4 signature by computing it again from the received request. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, keyId, day, signed, signature] =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/us-east-1\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? "",
    ) ?? [];
  const payload = String(request.headers["x-amz-content-sha256"]);
  if (keyId !== credentials.accessKeyId || !day || !signed?.split(";").includes("host")) return false;
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== createHash("sha256").update(body).digest("hex")) return false;
  const headers = signed.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const canonical = [request.method, url.pathname, query, headers.join(""), signed, payload].join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, hash].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (made, part) => createHmac("sha256", made).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  );
  return createHmac("sha256", key).update(text).digest("hex") === signature;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function typeOf(request: IncomingMessage): string {
  return request.headers["content-type"] ?? "binary/octet-stream";
}

function etagOf(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function errorXml(code: string): string {
  return `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
}

function reply(status: number, body: string | Buffer = "", headers: Record<string, string> = {}): Reply {
  return { status, body, headers };
}
