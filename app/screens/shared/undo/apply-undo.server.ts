import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { restoreAudience } from "#app/domain/audiences/restore-audience.server.ts";
import { displayCampaignName, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { getCampaignStatus } from "#app/domain/campaigns/status/get-campaign-status.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import { type AudienceId, type CampaignId, parseId, type SavedViewId } from "#app/domain/ids.ts";
import { getReport } from "#app/domain/reports/list-reports.server.ts";
import { pauseReport, resumeReport } from "#app/domain/reports/pause-report.server.ts";
import {
  type CampaignKind,
  doneIntents,
  type ReversibleIntent,
  undoActionOf,
} from "#app/screens/shared/campaigns/campaign-intents.ts";
import { campaignVerbs, lineItemVerbs } from "#app/screens/shared/campaigns/campaign-verbs.server.ts";
import type { Flash } from "#app/web/flash.server.ts";
import type { BulkUndo, Undo } from "#app/web/undo.server.ts";

/**
 * Calls the verb of an undo, which checks the caller's rights, and returns the message about it. If the object is no
 * longer as the undone action left it, nothing is changed and the message says so. Throws `not_found` also for an
 * action of the other portal, and whatever the verb throws.
 */
export async function applyUndo(ctx: Ctx<TenantActor>, { action, id }: Undo): Promise<Flash> {
  const { actor } = ctx;
  if (action === "pause_report" || action === "resume_report") return undoReport(ctx, { action, id });
  const undo = { action, id };
  if (actor.kind === "advertiser") return undoAsAdvertiser({ ...ctx, actor }, undo);
  return undoAsPublisher({ ...ctx, actor }, undo);
}

/** What each action of an undo is, by its code. */
export const undoActions = {
  pause_campaign: { kind: "campaign", intent: "pause" },
  resume_campaign: { kind: "campaign", intent: "resume" },
  archive_campaign: { kind: "campaign", intent: "archive" },
  restore_campaign: { kind: "campaign", intent: "restore" },
  pause_line_item: { kind: "line_item", intent: "pause" },
  resume_line_item: { kind: "line_item", intent: "resume" },
  archive_line_item: { kind: "line_item", intent: "archive" },
  restore_line_item: { kind: "line_item", intent: "restore" },
} as const satisfies Record<BulkUndo["action"], { kind: CampaignKind; intent: ReversibleIntent }>;

type ReportAction = "pause_report" | "resume_report";
type ObjectUndo = { action: Exclude<Undo["action"], ReportAction>; id: string };

async function undoReport(ctx: Ctx<TenantActor>, { action, id }: { action: ReportAction; id: string }): Promise<Flash> {
  const reportId = parseId<SavedViewId>(id);
  if (!reportId) throw notFound("Report");
  const { name, schedule } = await getReport(ctx, reportId);
  const isPause = action === "pause_report";
  if (schedule?.isPaused !== !isPause) {
    return changedMeanwhile(`“${name}”`, !schedule ? "Not scheduled" : schedule.isPaused ? "Paused" : "Active");
  }
  await (isPause ? pauseReport : resumeReport)(ctx, { id: reportId });
  return {
    tone: "success",
    message: isPause ? "Report paused" : "Report resumed",
    undo: { action: isPause ? "resume_report" : "pause_report", id },
  };
}

async function undoAsAdvertiser(ctx: Ctx<AdvertiserActor>, { action, id }: ObjectUndo): Promise<Flash> {
  const campaignId = parseId<CampaignId>(id);
  const intent = intentOf(action, "campaign");
  if (!campaignId || !intent) throw notFound("Campaign");
  const { name, status, archivedAt } = await getCampaignStatus(ctx, campaignId);
  const shown = `“${displayCampaignName(name)}”`;
  const isArchived = archivedAt !== null;
  const isAsLeft = {
    pause: status === "active",
    resume: status === "paused" && !isArchived,
    archive: !isArchived,
    restore: isArchived,
  }[intent];
  if (!isAsLeft) return changedMeanwhile(shown, isArchived ? "Archived" : statusLabels[status]);
  await campaignVerbs[intent](ctx, { id: campaignId });
  return {
    tone: "success",
    message: `${shown} ${doneIntents[intent]}`,
    undo: { action: undoActionOf(intent, "campaign"), id },
  };
}

async function undoAsPublisher(ctx: Ctx<PublisherActor>, { action, id }: ObjectUndo): Promise<Flash> {
  if (action === "restore_audience") return undoArchive(ctx, id);
  const campaignId = parseId<CampaignId>(id);
  const intent = intentOf(action, "line_item");
  if (!campaignId || !intent) throw notFound("Campaign");
  const { name, status, pausedByPublisher, archivedAt } = await getLineItem(ctx, campaignId);
  const isArchived = archivedAt !== null;
  const isAsLeft = {
    pause: !pausedByPublisher,
    resume: pausedByPublisher && !isArchived,
    archive: !isArchived,
    restore: isArchived,
  }[intent];
  if (!isAsLeft) return changedMeanwhile(`“${name}”`, isArchived ? "Archived" : statusLabels[status]);
  await lineItemVerbs[intent](ctx, { id: campaignId });
  return {
    tone: "success",
    message: `Campaign ${doneIntents[intent]}`,
    undo: { action: undoActionOf(intent, "line_item"), id },
  };
}

/** Returns what the action does to a campaign or line item; undefined for an action on something else. */
function intentOf(action: ObjectUndo["action"], expected: CampaignKind): ReversibleIntent | undefined {
  if (action === "restore_audience") return undefined;
  const { kind, intent } = undoActions[action];
  return kind === expected ? intent : undefined;
}

async function undoArchive(ctx: Ctx<PublisherActor>, id: string): Promise<Flash> {
  const audienceId = parseId<AudienceId>(id);
  if (!audienceId) throw notFound("Audience");
  const { name, status } = await getAudience(ctx, audienceId);
  if (status !== "archived") return { tone: "info", message: `“${name}” is already restored` };
  await restoreAudience(ctx, { id: audienceId });
  return { tone: "success", message: `“${name}” restored` };
}

function changedMeanwhile(name: string, status: string): Flash {
  return { tone: "info", message: `Nothing to undo: ${name} has changed since. It is now ${status.toLowerCase()}.` };
}
