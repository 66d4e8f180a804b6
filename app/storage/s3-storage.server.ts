import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { type FileStorage, type ListedFile, requireKey, StorageError } from "./file-storage.ts";

export type S3Settings = {
  bucket: string;
  region: string;
  /** Another service than Amazon's; undefined: Amazon's. */
  endpoint: string | undefined;
  /** Undefined: what the machine is allowed to (its role, its profile). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Stands before every key, with its slash; or empty. */
  prefix: string;
};

/** Parts are kept in memory until they have arrived, so that they can be sent again. */
const partBytes = 8 * 1024 * 1024;
const partsUnderway = 2;

/** Files in a bucket of Amazon S3 or of a service that speaks its language. An object is there whole or not at all. */
export function openS3Storage(settings: S3Settings): FileStorage {
  const { bucket: Bucket, prefix } = settings;
  const client = clientOf(settings);
  const objectOf = (key: string) => ({ Bucket, Key: prefix + requireKey(key) });
  return {
    put: (key, body, { bytes, type }) =>
      orStorageError(async () => {
        const params = { ...objectOf(key), Body: Readable.from(exactly(body, bytes)), ContentType: type };
        await new Upload({ client, params, partSize: partBytes, queueSize: partsUnderway }).done();
      }),
    get: (key, range) =>
      orStorageError(async () => {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const found = await client.send(new GetObjectCommand({ ...objectOf(key), Range })).catch(undefinedIfAbsent);
        return found?.Body instanceof Readable ? found.Body : undefined;
      }),
    delete: (keys) =>
      orStorageError(async () => {
        // One by one: not every service takes a list.
        for (const key of keys) await client.send(new DeleteObjectCommand(objectOf(key)));
      }),
    list: (begin) => listObjects(client, { Bucket, begin, prefix }),
    dropUnfinished: (before) => orStorageError(() => abortUploads(client, { Bucket, prefix, before })),
  };
}

function clientOf({ region, endpoint, credentials }: S3Settings): S3Client {
  // Which Node its later versions will need is for who changes ours, not for the log of each start.
  // biome-ignore lint/plugin/one-reader-of-the-environment: the SDK reads this variable, and nothing else sets it.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
  return new S3Client({
    region,
    endpoint,
    credentials,
    // Services other than Amazon's have no host name for each bucket, and few know its newer checksums.
    forcePathStyle: endpoint !== undefined,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  });
}

async function orStorageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StorageError ? error : new StorageError(error);
  }
}

/** Ends in an error rather than early or late: what came of a file that was cut off must not become the file. */
async function* exactly(body: Readable, bytes: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body) {
    seen += chunk.length;
    yield chunk;
  }
  if (seen !== bytes) throw new Error(`${seen} bytes came instead of ${bytes}`);
}

function undefinedIfAbsent(error: unknown): undefined {
  if (error instanceof NoSuchKey) return undefined;
  throw error;
}

async function* listObjects(
  client: S3Client,
  { Bucket, begin, prefix }: { Bucket: string; begin: string; prefix: string },
): AsyncGenerator<ListedFile> {
  for (let ContinuationToken: string | undefined, first = true; first || ContinuationToken; first = false) {
    const command = new ListObjectsV2Command({ Bucket, Prefix: prefix + begin, ContinuationToken });
    const page = await orStorageError(() => client.send(command));
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key && LastModified) yield { key: Key.slice(prefix.length), storedAt: LastModified };
    }
    ContinuationToken = page.NextContinuationToken;
  }
}

/** Parts that were sent and never put together cost money for ever. */
async function abortUploads(
  client: S3Client,
  { Bucket, prefix, before }: { Bucket: string; prefix: string; before: Date },
): Promise<number> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix }));
  const old = Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated < before);
  for (const { Key, UploadId } of old) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  return old.length;
}
