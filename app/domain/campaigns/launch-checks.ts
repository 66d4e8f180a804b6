import { type CalendarDate, formatDate } from "../calendar-date.ts";
import type { FieldErrors } from "../errors.ts";
import type { AudienceId, CreativeId } from "../ids.ts";
import { type Cents, formatCents } from "../money.ts";
import type { CampaignContent } from "./campaign-content.ts";
import type { CampaignField } from "./campaign-payloads.ts";

/**
 * What a campaign needs before publishers are asked (contract, section 6). All errors at once, under the wire's names.
 * `readyAudienceIds` are those of its audiences that can be used; `knownStartDates` are the starts of versions that run or
 * were sent already, which may lie in the past; `spentCents` is what a budget can no longer go under.
 */
export function launchErrors(
  campaign: { name: string; content: CampaignContent },
  given: {
    today: CalendarDate;
    readyAudienceIds: ReadonlySet<AudienceId>;
    knownStartDates?: ReadonlySet<CalendarDate | null>;
    spentCents?: Cents;
    /** Those of its creatives that are there; undefined: all. */
    creativeIds?: ReadonlySet<CreativeId>;
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
  if (content.creativeIds.some((id) => given.creativeIds && !given.creativeIds.has(id))) {
    add("creative_ids", "A creative you chose is no longer there; choose again");
  }
  if (content.audienceIds.length === 0) add("selected_audiences", "Choose at least one audience");
  else if (content.audienceIds.some((id) => !given.readyAudienceIds.has(id))) {
    add("selected_audiences", "An audience you chose is no longer available; choose again");
  }
  if (content.channels.length === 0) add("channels", "Choose at least one channel");
  checkBudgets(content, given.spentCents, add);
  checkFlight(content, given, add);
  return errors;
}

type Add = (field: CampaignField, message: string) => void;

function checkBudgets(content: CampaignContent, spentCents: Cents | undefined, add: Add) {
  const { totalBudgetCents, dailyBudgetCents } = content;
  if (!totalBudgetCents) add("budget", "Enter a budget above 0");
  else if (spentCents && totalBudgetCents < spentCents)
    add("budget", `The budget cannot be under the ${formatCents(spentCents)} already spent`);
  if (!dailyBudgetCents) add("daily_budget", "Enter a daily budget above 0");
  else if (totalBudgetCents && dailyBudgetCents > totalBudgetCents)
    add("daily_budget", "The daily budget cannot be above the budget");
}

function checkFlight(
  content: CampaignContent,
  given: { today: CalendarDate; knownStartDates?: ReadonlySet<CalendarDate | null> },
  add: Add,
) {
  const { startDate, endDate } = content;
  if (!startDate) add("start_date", "Enter a start date");
  else if (startDate < given.today && !given.knownStartDates?.has(startDate))
    add("start_date", `The start date cannot be before today, ${formatDate(given.today)}`);
  if (!endDate) add("end_date", "Enter an end date");
  else if (startDate && endDate < startDate) add("end_date", "The end date cannot be before the start date");
  else if (endDate < given.today) add("end_date", `The end date cannot be before today, ${formatDate(given.today)}`);
}
