import type { AccountType } from "#app/domain/accounts/account.ts";
import type { FilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import {
  dateRangePresets,
  defaultRange,
  futureRange,
  isFuture,
  isReversed,
  type Period,
  rangeLabels,
  reversedRange,
  shortenedRange,
} from "#app/domain/analytics/period.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { channelLabels, channels } from "#app/domain/campaigns/campaign.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import { AnalyticsForm } from "./analytics-form.tsx";
import { type AnalyticsSearch, analyticsQuery, noFilters } from "./analytics-search.ts";

/** Period and filters. The two date fields show only for a custom range. */
export function AnalyticsFilterForm({
  search,
  today,
  period,
  options,
  view,
  filtered,
}: {
  search: AnalyticsSearch;
  today: CalendarDate;
  period: Period;
  options: FilterOptions;
  view: AccountType;
  filtered: boolean;
}) {
  const range = search.range ?? (search.from || search.to ? "custom" : defaultRange);
  const isShortened =
    range === "custom" && search.from !== undefined && search.from < period.from && !isReversed(search);
  return (
    <AnalyticsForm
      search={search}
      fields={["range", "from", "to", "campaign", "category", "audience", "channel"]}
      label="Analytics"
    >
      <SelectField
        name="range"
        label="Date range"
        defaultValue={range}
        options={dateRangePresets.map((value) => ({ value, label: rangeLabels[value] }))}
      />
      <div className="custom-range">
        <TextField
          name="from"
          label="From"
          type="date"
          defaultValue={search.from ?? period.from}
          errors={isFuture(search, today) ? [futureRange] : isShortened ? [shortenedRange] : []}
        />
        <TextField
          name="to"
          label="To"
          type="date"
          defaultValue={search.to ?? period.to}
          errors={isReversed(search) ? [reversedRange] : []}
        />
      </div>
      {view === "advertiser" || search.campaign ? (
        <SelectField
          name="campaign"
          label="Campaign"
          emptyLabel="All campaigns"
          defaultValue={search.campaign}
          options={options.campaigns}
        />
      ) : null}
      <SelectField
        name="category"
        label="Product category"
        emptyLabel="All categories"
        defaultValue={search.category}
        options={options.categories}
      />
      <SelectField
        name="audience"
        label="Audience"
        emptyLabel="All audiences"
        defaultValue={search.audience}
        options={options.audiences}
      />
      <SelectField
        name="channel"
        label="Channel"
        emptyLabel="All channels"
        defaultValue={search.channel}
        options={channels.map((value) => ({ value, label: channelLabels[value] }))}
      />
      <div className="actions">
        <Button variant="primary">Apply Filters</Button>
        {filtered ? (
          <LinkButton variant="ghost" to={analyticsQuery(search, noFilters)}>
            Clear
          </LinkButton>
        ) : null}
      </div>
    </AnalyticsForm>
  );
}
