import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  NoSuchKey,
  NoSuchUpload,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { type FileStorage, isStorageKey, type ListedFile, requireStorageKey, StorageError } from "./file-storage.ts";

export type S3Settings = {
  bucket: string;
  region: string;
  /** The endpoint of an S3-compatible service; undefined: Amazon S3. */
  endpoint: string | undefined;
  /** Undefined: the machine's own credentials (its role or profile). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** The prefix of every key, with its slash; or empty. */
  prefix: string;
};

/** Parts stay in memory until they have arrived, so that they can be sent again. */
const partBytes = 8 * 1024 * 1024;
const partsUnderway = 2;

/** Stores files in a bucket of Amazon S3 or of a compatible service. An object is stored completely or not at all. */
export function openS3Storage(settings: S3Settings): FileStorage {
  const { bucket: Bucket, prefix } = settings;
  const client = clientOf(settings);
  const objectOf = (key: string) => ({ Bucket, Key: prefix + requireStorageKey(key) });
  return {
    put: (key, body, { bytes, type }) =>
      orStorageError(async () => {
        const params = { ...objectOf(key), Body: Readable.from(exactly(body, bytes)), ContentType: type };
        await new Upload({ client, params, partSize: partBytes, queueSize: partsUnderway }).done();
      }),
    get: (key, range) =>
      orStorageError(async () => {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const object = await client.send(new GetObjectCommand({ ...objectOf(key), Range })).catch(undefinedIfAbsent);
        return object?.Body instanceof Readable ? object.Body : undefined;
      }),
    delete: (keys) =>
      orStorageError(async () => {
        // One by one, because not every service supports deleting a list.
        for (const key of keys) await client.send(new DeleteObjectCommand(objectOf(key)));
      }),
    deleteVersions: (keys) =>
      orStorageError(async () => {
        for (const key of keys) await deleteAllVersions(client, objectOf(key));
      }),
    list: (begin) => listObjects(client, { Bucket, begin, prefix }),
    check: () =>
      orStorageError(async () => {
        await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }));
      }),
    deleteUnfinished: (before) => orStorageError(() => abortUploads(client, { Bucket, prefix, before })),
  };
}

function clientOf({ region, endpoint, credentials }: S3Settings): S3Client {
  // The SDK's warning about future Node versions concerns developers, not the log of each start.
  // biome-ignore lint/plugin/one-reader-of-the-environment: the SDK reads this variable, and nothing else sets it.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
  return new S3Client({
    region,
    endpoint,
    credentials,
    // Services other than Amazon's have no host name per bucket, and few support its newer checksums.
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

/** Fails when the stream is shorter or longer than declared: a truncated upload must not become a file. */
async function* exactly(body: Readable, bytes: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of body) {
    seen += chunk.length;
    yield chunk;
  }
  if (seen !== bytes) throw new Error(`received ${seen} bytes instead of ${bytes}`);
}

/** Deletes every version and delete marker of an object; the object itself where the service has no versions. */
async function deleteAllVersions(client: S3Client, object: { Bucket: string; Key: string }): Promise<void> {
  const versions = await listVersions(client, object);
  if (!versions) await client.send(new DeleteObjectCommand(object));
  for (const VersionId of versions ?? []) await client.send(new DeleteObjectCommand({ ...object, VersionId }));
}

/**
 * Returns the ids of an object's versions and delete markers; undefined if the service does not list them. All pages
 * are read before any version is deleted: Ceph leaves out what follows a version that is gone.
 */
async function listVersions(
  client: S3Client,
  { Bucket, Key }: { Bucket: string; Key: string },
): Promise<(string | undefined)[] | undefined> {
  const ids: (string | undefined)[] = [];
  let marker: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
  do {
    const list = new ListObjectVersionsCommand({ Bucket, Prefix: Key, ...marker });
    const page = await client.send(list).catch(undefinedIfUnsupported);
    if (!page) return undefined;
    const versions = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
    ids.push(...versions.filter((version) => version.Key === Key).map(({ VersionId }) => VersionId));
    marker = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : {};
  } while (marker.KeyMarker !== undefined);
  return ids;
}

function undefinedIfUnsupported(error: unknown): undefined {
  if (error instanceof S3ServiceException && ["NotImplemented", "MethodNotAllowed"].includes(error.name))
    return undefined;
  throw error;
}

function undefinedIfAbsent(error: unknown): undefined {
  if (error instanceof NoSuchKey || error instanceof NoSuchUpload) return undefined;
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
      const key = Key?.slice(prefix.length);
      if (key && isStorageKey(key) && LastModified) yield { key, storedAt: LastModified };
    }
    ContinuationToken = page.NextContinuationToken;
  }
}

/** Aborts unfinished multipart uploads, because their parts cost money indefinitely. */
async function abortUploads(
  client: S3Client,
  { Bucket, prefix, before }: { Bucket: string; prefix: string; before: Date },
): Promise<number> {
  let aborted = 0;
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
  do {
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...marker });
    const page: ListMultipartUploadsCommandOutput | undefined = await client.send(list).catch(undefinedIfUnsupported);
    // Some compatible services cannot list them, and end them by themselves.
    if (!page) break;
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated >= before) continue;
      // Another process, or a rule of the bucket, may have ended it meanwhile.
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(undefinedIfAbsent);
      aborted += 1;
    }
    marker = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : {};
  } while (marker.KeyMarker !== undefined);
  return aborted;
}
