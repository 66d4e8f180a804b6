import { z } from "zod";

const secret = z.string("is missing").trim().min(1, "is missing").max(4_000, "is too long");
/** `123-456-7890` as well: that is how Google shows it. */
const customer = secret
  .transform((text) => text.replaceAll("-", ""))
  .pipe(z.string().regex(/^\d{6,15}$/, "is the number of an account"));

const google = z.object({
  channel: z.literal("google"),
  developer_token: secret,
  client_id: secret,
  client_secret: secret,
  refresh_token: secret,
  customer_id: customer,
  /** The manager account through which the account is reached. */
  login_customer_id: customer.nullish(),
  /** What the people of the audiences said about ads, where the operator vouches for it; nothing is claimed otherwise. */
  consent: z.literal("granted").nullish(),
});

const meta = z.object({
  channel: z.literal("meta"),
  /** Of a system user, with `ads_management` and `ads_read`. */
  access_token: secret,
  ad_account_id: secret
    .transform((text) => text.replace(/^act_/, ""))
    .pipe(z.string().regex(/^\d{5,20}$/, "is the number of an ad account, with or without act_")),
  /** Proves that requests come from the app's owner, where the app wants that. */
  app_secret: secret.nullish(),
});

/** What an operator gives to connect a channel. */
export const channelCredentialsSchema = z.discriminatedUnion("channel", [google, meta]);
export type ChannelCredentials = z.output<typeof channelCredentialsSchema>;
export type GoogleCredentials = z.output<typeof google>;
export type MetaCredentials = z.output<typeof meta>;
