import { Form } from "@remix-run/react";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { FilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import {
  defaultRange,
  isReversed,
  type Period,
  rangeLabels,
  ranges,
  reversedRange,
} from "#app/domain/analytics/period.ts";
import { channelLabels, channels } from "#app/domain/campaigns/campaign.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import { type AnalyticsSearch, analyticsQuery } from "./analytics-search.ts";

/** Period and filters: a form whose answer is an address. The two days are shown where the range is one's own. */
export function AnalyticsFilterForm({
  search,
  period,
  options,
  view,
  filtered,
}: {
  search: AnalyticsSearch;
  period: Period;
  options: FilterOptions;
  view: AccountType;
  filtered: boolean;
}) {
  const range = search.range ?? (search.from || search.to ? "custom" : defaultRange);
  return (
    <Form method="get" className="analytics-filters" role="search" aria-label="Analytics">
      {keptOf(search).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SelectField
        name="range"
        label="Date range"
        defaultValue={range}
        options={ranges.map((value) => ({ value, label: rangeLabels[value] }))}
      />
      <div className="custom-range">
        <TextField name="from" label="From" type="date" defaultValue={search.from ?? period.from} />
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
          <LinkButton
            variant="ghost"
            to={analyticsQuery(search, { campaign: "", audience: "", category: "", channel: "" })}
          >
            Clear
          </LinkButton>
        ) : null}
      </div>
    </Form>
  );
}

/** What the form does not ask for goes on as it is. */
function keptOf({ view, metric, group, sort, order }: AnalyticsSearch): [string, string][] {
  return Object.entries({ view, metric, group, sort, order }).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
}
