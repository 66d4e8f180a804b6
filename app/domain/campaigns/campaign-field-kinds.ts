import { type CalendarDate, formatDate, parseCalendarDate } from "../calendar-date.ts";
import { asCents, type Cents, centsToDollars, formatCents } from "../money.ts";
import { notSelected, notSet } from "./campaign.ts";

/**
 * The kinds of campaign fields: how the value of each kind is stored, shown, sent in a form and answered as JSON. The
 * rows that use them are in campaign-fields.ts. Pure.
 */

/** The steps of the wizard that have fields. */
export type CampaignStep = 1 | 2 | 3 | 4 | 5;

export type Definition = {
  /** The name in the stored content and of the column. */
  key: string;
  /** Null for a field that is computed from others: no form and no payload has it. */
  step: CampaignStep | null;
  /** Whether publishers review the field, so that each version has it. Other fields change at once. */
  reviewed: boolean;
  label: string;
  /** The label in the history, when it differs. */
  historyLabel?: string;
  /** The name in responses to publishers, when it differs. */
  publisherName?: string;
};

export type Kind<Value, Json> = {
  /** The value in a new draft, and after a request set it to null. */
  empty: Value;
  /** What the form of its step sends when nothing was entered; undefined leaves the field unchanged. */
  cleared: null | undefined | readonly never[];
  show(value: Value): string;
  /** Formats a value of the history, which may come from an older vocabulary. */
  showStored(value: unknown): string;
  fromColumn(value: unknown): unknown;
  toForm(value: Value): unknown;
  toJson(value: Value): Json;
};

type Labels<Value extends string> = Readonly<Record<Value, string>>;

function define<const D extends Definition, Value, Json>(
  definition: D,
  kind: Pick<Kind<Value, Json>, "empty" | "show" | "toJson"> & Partial<Kind<Value, Json>>,
): D & Kind<Value, Json> {
  const defaults = { cleared: null, showStored: showPlain, fromColumn: unchanged, toForm: unchanged };
  return { ...definition, ...defaults, ...kind };
}

export function text<const D extends Definition>(definition: D) {
  return define<D, string | null, string | null>(definition, {
    empty: null,
    show: (value) => value ?? notSet,
    toJson: unchanged,
  });
}

export function plain<const D extends Definition, Value>(
  definition: D,
  empty: Value,
  shown: Pick<Kind<Value, Value>, "show"> & Partial<Pick<Kind<Value, Value>, "showStored">>,
) {
  return define<D, Value, Value>(definition, { empty, toJson: unchanged, ...shown });
}

/** One code of a vocabulary, or null. */
export function choice<const D extends Definition, Value extends string>(definition: D, labels: Labels<Value>) {
  return define<D, Value | null, Value | null>(definition, {
    empty: null,
    show: (value) => (value === null ? notSelected : labels[value]),
    showStored: (value) => showLabel(labels, value),
    toJson: unchanged,
  });
}

/** One code of a vocabulary, never null. */
export function setting<const D extends Definition, Value extends string>(
  definition: D,
  labels: Labels<Value>,
  values: { empty: NoInfer<Value>; cleared: null | undefined },
) {
  return define<D, Value, Value>(definition, {
    show: (value) => labels[value],
    showStored: (value) => showLabel(labels, value),
    toJson: unchanged,
    ...values,
  });
}

/** Any number of codes of a vocabulary. */
export function choices<const D extends Definition, Value extends string>(
  definition: D,
  labels: Labels<Value>,
  whenEmpty: string,
) {
  return define<D, Value[], Value[]>(definition, {
    empty: [],
    cleared: [],
    show: (values) => values.map((value) => labels[value]).join(", ") || whenEmpty,
    showStored: (values) =>
      Array.isArray(values)
        ? values.map((value) => showLabel(labels, value)).join(", ") || whenEmpty
        : showPlain(values, whenEmpty),
    toJson: unchanged,
  });
}

/** Ids of the things that the noun names; the history shows how many, because names change. */
export function references<const D extends Definition, Id>(definition: D, empty: Id[], noun: string) {
  return define<D, Id[], Id[]>(definition, {
    empty,
    cleared: [],
    show: (ids) => (ids.length > 0 ? formatCount(ids.length, noun) : notSelected),
    showStored: (ids) => (Array.isArray(ids) && ids.length > 0 ? formatCount(ids.length, noun) : notSelected),
    toJson: unchanged,
  });
}

/** An amount: stored in cents, in forms and responses in dollars. */
export function money<const D extends Definition>(definition: D) {
  return define<D, Cents | null, number | null>(definition, {
    empty: null,
    show: (cents) => (cents === null ? notSet : formatCents(cents)),
    showStored: (cents) => (typeof cents === "number" ? formatCents(asCents(cents)) : showPlain(cents)),
    fromColumn: (cents) => (typeof cents === "number" ? asCents(cents) : null),
    toForm: (cents) => (cents === null ? "" : dollarsText(cents)),
    toJson: (cents) => (cents === null ? null : centsToDollars(cents)),
  });
}

export function date<const D extends Definition>(definition: D) {
  return define<D, CalendarDate | null, CalendarDate | null>(definition, {
    empty: null,
    show: (value) => (value ? formatDate(value) : notSet),
    showStored: (value) => {
      const read = typeof value === "string" ? parseCalendarDate(value) : undefined;
      return read ? formatDate(read) : showPlain(value);
    },
    toJson: unchanged,
  });
}

/** Formats an amount for an input: `1200` or `1200.50`. */
function dollarsText(cents: Cents): string {
  return cents % 100 === 0 ? String(centsToDollars(cents)) : centsToDollars(cents).toFixed(2);
}

function unchanged<T>(value: T): T {
  return value;
}

function showPlain(value: unknown, whenEmpty: string = notSet): string {
  return value === null || value === undefined || value === "" ? whenEmpty : String(value);
}

function showLabel(labels: Readonly<Record<string, string>>, value: unknown): string {
  return labels[String(value)] ?? showPlain(value, notSelected);
}

/** Formats "1 creative", "3 creatives". Lists are too short for a thousands separator. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
