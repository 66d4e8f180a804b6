export const bulkIntents = ["pause", "resume", "duplicate", "archive", "restore"] as const;
export type BulkIntent = (typeof bulkIntents)[number];
type BulkIntents = readonly BulkIntent[];

/**
 * The actions of a list's bulk bar: of an advertiser's and a publisher's list, and of both lists of archived campaigns.
 */
export const advertiserBulkIntents: BulkIntents = ["pause", "resume", "duplicate", "archive"];
export const publisherBulkIntents: BulkIntents = ["pause", "resume", "archive"];
export const archivedBulkIntents: BulkIntents = ["restore"];
