import { z } from "zod";

const status = z.enum(["unspecified", "granted", "denied"]);
const uploadToken = z.object({
  /** Google's time when the upload began, in ISO 8601. */
  startedAt: z.iso.datetime(),
  consent: z.object({ adUserData: status, adPersonalization: status }).nullable(),
  /** The IDs of the requests that Google has not been seen to have processed, oldest first. */
  requests: z.array(z.string()),
  /** The ID of the request that removes everyone who was added before. */
  removal: z.string().nullable(),
});

/** The state of an upload to Google. */
export type UploadToken = z.output<typeof uploadToken>;

/** Parses the stored text of a token; undefined for one of another version. */
export function parseUploadToken(text: string): UploadToken | undefined {
  try {
    return uploadToken.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
