import { z } from "zod";
import { wire } from "#app/api/wire.ts";
import {
  type StatusReason,
  type StatusSide,
  statusReasonCodes,
  statusResolution,
  statusResolutions,
} from "#app/domain/campaigns/status/status-reason.ts";
import { describeStatusReason } from "#app/domain/campaigns/status/status-reason-copy.ts";

/** Why a campaign or line item has its `status`, for the caller's side. */
export const statusReasonSchema = z
  .object({
    code: z.enum(statusReasonCodes),
    text: z.string().describe("The reason as a sentence"),
    resolution: z.enum(statusResolutions).nullable().describe("What the caller can do; null when it can do nothing"),
    publishers: z.array(z.string()).describe("The publishers that the reason is about"),
    date: wire.date
      .nullable()
      .describe(
        "First day of a flight that has not started, last day of one that ended, day of the archiving, or day on which the campaign ended before a decision",
      ),
  })
  .describe("Why the campaign has its status today");

export function statusReasonJson(reason: StatusReason, side: StatusSide): z.output<typeof statusReasonSchema> {
  return {
    code: reason.code,
    text: describeStatusReason(reason, side),
    resolution: statusResolution(reason, side),
    publishers: [...reason.publishers],
    date: reason.date,
  };
}
