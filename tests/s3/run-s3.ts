import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { createTestBucket, serviceUrl } from "./test-buckets.ts";

/**
 * `npm run test:s3`: tests of files and of audiences in objects on a service with S3's API, `S3_TEST_URL`
 * (`http://KEY:SECRET@HOST:PORT`), in buckets that they create and remove. Without it they are skipped.
 */
const files = ["tests/s3/", "tests/domain/audiences/objects.test.ts", "tests/domain/creatives/creatives.test.ts"];

if (!serviceUrl) {
  console.info("Skipped: S3_TEST_URL names no service");
} else {
  const bucket = await createTestBucket({ keepsVersions: true });
  const { endpoint, region, credentials, prefix } = bucket.settings;
  const settings = {
    S3_BUCKET: bucket.settings.bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    S3_PREFIX: prefix,
  };
  const bin = resolve(import.meta.dirname, "../../node_modules/.bin/vitest");
  const requested = process.argv.slice(2);
  const run = files.filter((file) => requested.length === 0 || requested.some((name) => file.includes(name)));
  try {
    const env = { ...process.env, ...settings };
    process.exitCode = spawnSync(bin, ["run", "--maxWorkers=1", ...run], { stdio: "inherit", env }).status ?? 1;
  } finally {
    await bucket.remove();
  }
}
