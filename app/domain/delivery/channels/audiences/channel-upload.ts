import type { AudienceConsent } from "#app/domain/audiences/consent/audience-consent.ts";

/** An upload of an audience to a channel in progress, which can be resumed after an interruption. */
export type ChannelUpload = {
  /** The channel's token of the upload. */
  token: string;
  /** Nothing was ever sent to this audience before. */
  first: boolean;
  /** The version of the audience, and the generation of its blocks. */
  version: number;
  generation: number;
  /** The consent that it was started with, where the channel takes one. */
  consent?: AudienceConsent | null;
  /** The number of batches sent. */
  sequence: number;
  /** The last hash in them, while more are to be sent: it is that of a person, who may be erased. */
  after: string | null;
  /**
   * `sending` until all batches are sent, then `processing` by the channel. An upload that is `abandoned` is replaced
   * by a new one, which may have to wait until the channel has processed what was sent.
   */
  phase: "sending" | "processing" | "abandoned";
  begunAt: string;
};
