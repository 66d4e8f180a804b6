import { type CalendarDate, formatDate } from "../calendar-date.ts";
import type { FieldErrors } from "../errors.ts";
import type { AudienceId, CreativeId } from "../ids.ts";
import { type Cents, formatCents } from "../money.ts";
import type { CampaignContent, CampaignField } from "./campaign-fields.ts";

/**
 * Checks what a campaign needs before it can be sent to publishers. Returns all errors at once, by field name of the
 * JSON API. `readyAudienceIds` are those of its audiences that can be used; `audienceNames` has those of others, where
 * they are known; `knownStartDates` are the start dates of versions that were sent or are running, which may be in the
 * past; the budget cannot be less than `spentCents`.
 */
export function launchErrors(
  campaign: { name: string; content: CampaignContent },
  context: {
    today: CalendarDate;
    readyAudienceIds: ReadonlySet<AudienceId>;
    audienceNames?: ReadonlyMap<AudienceId, string> | undefined;
    knownStartDates?: ReadonlySet<CalendarDate | null>;
    spentCents?: Cents;
    /** Those of its creatives that exist; undefined means all. */
    creativeIds?: ReadonlySet<CreativeId>;
    /** The names of its products that are not active in the catalog. */
    unlistedProducts?: readonly string[];
  },
): FieldErrors {
  const { content } = campaign;
  const errors: FieldErrors = {};
  const add = (field: CampaignField, message: string) => {
    errors[field] = [...(errors[field] ?? []), message];
  };
  if (campaign.name.trim() === "") add("name", "Enter a campaign name");
  if (!content.objective) add("objective", "Choose an objective");
  if (!content.adFormat) add("ad_format", "Choose an ad format");
  if (content.creativeIds.some((id) => context.creativeIds && !context.creativeIds.has(id))) {
    add("creative_ids", "A selected creative no longer exists. Choose another.");
  }
  const [unlisted] = context.unlistedProducts ?? [];
  if (unlisted !== undefined)
    add("selected_products", `“${unlisted}” is not active in the catalog. Remove it or make it active.`);
  if (content.audienceIds.length === 0) add("selected_audiences", "Choose at least one audience");
  const unavailable = content.audienceIds.find((id) => !context.readyAudienceIds.has(id));
  if (unavailable) {
    const name = context.audienceNames?.get(unavailable);
    const subject = name === undefined ? "A selected audience" : `The audience “${name}”`;
    add("selected_audiences", `${subject} is no longer available. Choose another.`);
  }
  if (content.channels.length === 0) add("channels", "Choose at least one channel");
  checkBudgets(content, context.spentCents, add);
  checkFlight(content, context, add);
  return errors;
}

type Add = (field: CampaignField, message: string) => void;

function checkBudgets(content: CampaignContent, spentCents: Cents | undefined, add: Add) {
  const { totalBudgetCents, dailyBudgetCents } = content;
  if (!totalBudgetCents) add("budget", "Enter a budget greater than $0");
  else if (spentCents && totalBudgetCents < spentCents)
    add("budget", `The budget can't be less than the ${formatCents(spentCents)} already spent`);
  if (!dailyBudgetCents) add("daily_budget", "Enter a daily budget greater than $0");
  else if (totalBudgetCents && dailyBudgetCents > totalBudgetCents)
    add("daily_budget", "The daily budget can't exceed the total budget");
}

function checkFlight(
  content: CampaignContent,
  context: { today: CalendarDate; knownStartDates?: ReadonlySet<CalendarDate | null> },
  add: Add,
) {
  const { startDate, endDate } = content;
  if (!startDate) add("start_date", "Enter a start date");
  else if (startDate < context.today && !context.knownStartDates?.has(startDate))
    add("start_date", `The start date can't be earlier than today, ${formatDate(context.today)}`);
  if (!endDate) add("end_date", "Enter an end date");
  else if (startDate && endDate < startDate) add("end_date", "The end date can't be earlier than the start date");
  else if (endDate < context.today)
    add("end_date", `The end date can't be earlier than today, ${formatDate(context.today)}`);
}
