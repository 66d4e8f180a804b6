/** An upload of an audience to a channel that is under way: it is gone on with after a cut. */
export type ChannelUpload = {
  /** What the channel calls it. */
  token: string;
  /** Nothing was ever sent to this audience before. */
  first: boolean;
  /** Of the audience, and of its blocks. */
  version: number;
  generation: number;
  /** Batches that the channel has, and the last hash of them. */
  sequence: number;
  after: string | null;
  /** `sending` until all is there, then the channel works on it. */
  phase: "sending" | "processing";
  begunAt: string;
};
