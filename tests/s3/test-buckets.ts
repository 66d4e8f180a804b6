import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import type { S3Settings } from "#app/storage/s3-storage.server.ts";

/** A service with S3's API, as `http://KEY:SECRET@HOST:PORT`. The key may create buckets. */
export const serviceUrl = process.env.S3_TEST_URL;

export type TestBucket = Awaited<ReturnType<typeof createTestBucket>>;

/** Creates a bucket on the service of `S3_TEST_URL`, which keeps the versions of its objects if asked to. */
export async function createTestBucket({ keepsVersions }: { keepsVersions: boolean }) {
  const Bucket = `endcap-test-${crypto.randomUUID()}`;
  const { origin, username, password } = new URL(serviceUrl ?? "");
  const credentials = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
  const settings = { bucket: Bucket, region: "us-east-1", endpoint: origin, credentials, prefix: "files/" };
  const client = new S3Client({
    ...settings,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  await client.send(new CreateBucketCommand({ Bucket }));
  if (keepsVersions) {
    const VersioningConfiguration = { Status: "Enabled" } as const;
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  }

  /** Returns all versions and delete markers of all objects, of at most one page. */
  async function versions() {
    const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
    return [...Versions, ...DeleteMarkers].map(({ Key = "", VersionId }) => ({ Key, VersionId }));
  }

  async function uploads() {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    return Uploads.map(({ Key = "", UploadId }) => ({ Key, UploadId }));
  }

  async function remove(): Promise<void> {
    for (const upload of await uploads()) await client.send(new AbortMultipartUploadCommand({ Bucket, ...upload }));
    for (let found = await versions(); found.length > 0; found = await versions())
      for (const version of found) await client.send(new DeleteObjectCommand({ Bucket, ...version }));
    await client.send(new DeleteBucketCommand({ Bucket }));
    client.destroy();
  }

  return { settings: settings satisfies S3Settings, client, versions, uploads, remove };
}
