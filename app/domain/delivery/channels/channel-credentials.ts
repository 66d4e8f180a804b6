import { z } from "zod";

const secret = z.string("is missing").trim().min(1, "is missing").max(4_000, "is too long");
/** Also accepts `123-456-7890`, as Google displays it. */
const customer = secret
  .transform((text) => text.replaceAll("-", ""))
  .pipe(z.string().regex(/^\d{6,15}$/, "must be an account ID"));

const google = z.object({
  channel: z.literal("google"),
  /** Google ignores it since September 9, 2026: access belongs to the Cloud project of the client ID. */
  developer_token: secret.nullish(),
  client_id: secret,
  client_secret: secret,
  refresh_token: secret,
  customer_id: customer,
  /** The manager account that has access to the account. */
  login_customer_id: customer.nullish(),
});

const meta = z.object({
  channel: z.literal("meta"),
  /** The token of a system user with `ads_management` and `ads_read`. */
  access_token: secret,
  ad_account_id: secret
    .transform((text) => text.replace(/^act_/, ""))
    .pipe(z.string().regex(/^\d{5,20}$/, "must be an ad account ID, with or without act_")),
  /** Proves that requests come from the app's owner; needed where the app requires it. */
  app_secret: secret.nullish(),
});

/** The credentials with which an operator connects a channel. */
export const channelCredentialsSchema = z.discriminatedUnion("channel", [google, meta]);
export type ChannelCredentials = z.output<typeof channelCredentialsSchema>;
export type GoogleCredentials = z.output<typeof google>;
export type MetaCredentials = z.output<typeof meta>;
