import type { InvalidReason, UploadProblem } from "../audience.ts";
import type { ConsentColumn, ConsentScope } from "../consent/consent-columns.ts";
import { type ConsentVerdict, readConsent } from "../consent/consent-values.ts";
import { parseCountry } from "../members/country-names.ts";
import { type Identifier, maskValue, parseIdentifier } from "../members/parse-identifier.ts";
import { type NormalizedAddress, normalizeAddress } from "../members/postal-address.ts";
import type { IdentifierColumns } from "./columns.ts";
import { addOptOuts, type OptOutCount } from "./opt-out-counts.ts";

const maxProblems = 1_000;

/** Row counts and problems of all files of an upload. */
export type RowCounts = {
  rowsRead: number;
  rowsBlank: number;
  rowsInvalid: number;
  invalidByReason: Partial<Record<InvalidReason, number>>;
  problems: UploadProblem[];
  /** Rows of which nothing was imported because the person opted out. They are neither blank nor invalid. */
  rowsOptedOut: number;
  /** The columns that kept rows or identifiers out. */
  optOuts: OptOutCount[];
};

/** How many of the rows that were imported have a whole address, and how many do not. */
export type AddressCounts = { complete: number; incomplete: number };
type OnPerson = (identifiers: readonly Identifier[], address?: NormalizedAddress) => void;

/** Why identifiers of a row are not imported. */
type OptOut = { column: ConsentColumn; verdict: Exclude<ConsentVerdict, "in">; value: string };

/** Parses the identifiers of rows, counts rows that cannot be parsed, and passes each person to `onPerson`. */
export class RowReader {
  readonly counts: RowCounts = {
    rowsRead: 0,
    rowsBlank: 0,
    rowsInvalid: 0,
    invalidByReason: {},
    problems: [],
    rowsOptedOut: 0,
    optOuts: [],
  };
  /** Of the tables whose addresses are imported. */
  readonly addresses: AddressCounts = { complete: 0, incomplete: 0 };
  private readonly onPerson: OnPerson;
  private readonly country: string | undefined;

  /** `country`: the ISO code of rows without a country. */
  constructor(onPerson: OnPerson, country: string | undefined) {
    this.onPerson = onPerson;
    this.country = country;
  }

  /**
   * Reads one row; `file` counts from 0, `line` from 1. An invalid row is reported and never fails the file. Returns
   * whether the person objected to anything.
   */
  read(cells: readonly string[], columns: IdentifierColumns, place: { file: number; line: number }): boolean {
    this.counts.rowsRead += 1;
    const country = findCountry(cells, columns.countries) || columns.phoneCountry || this.country;
    const optOuts = columns.consents.length > 0 ? readOptOuts(cells, columns.consents) : undefined;
    const identifiers: Identifier[] = [];
    let invalid: { reason: InvalidReason; value: string } | undefined;
    let withheld: OptOut | undefined;
    for (const { index, type, hashed } of columns.identifiers) {
      const value = cells[index] ?? "";
      if (value === "") continue;
      const optOut = optOuts && (optOuts.person ?? optOuts[type]);
      if (optOut) {
        // What belongs to a person who opted out is not even parsed.
        if (!isBlank(value)) withheld ??= optOut;
        continue;
      }
      for (const one of splitValues(value)) {
        const read = parseIdentifier(one, { type, hashed, country });
        if (!read) continue;
        if ("reason" in read) invalid ??= { reason: read.reason, value: one };
        else identifiers.push(read);
      }
    }
    if (withheld) this.countOptOut(withheld, identifiers.length > 0);
    // An objection to anything keeps the address out.
    if (identifiers.length > 0)
      this.onPerson(identifiers, optOuts ? undefined : this.readAddress(cells, columns, country));
    else if (invalid && !withheld) this.reportInvalid(invalid, place);
    else if (!withheld) this.counts.rowsBlank += 1;
    return optOuts !== undefined;
  }

  private readAddress(
    cells: readonly string[],
    { address }: IdentifierColumns,
    country: string | undefined,
  ): NormalizedAddress | undefined {
    if (!address) return undefined;
    const found = normalizeAddress({
      givenName: cells[address.givenName] ?? "",
      familyName: cells[address.familyName] ?? "",
      postalCode: cells[address.postalCode] ?? "",
      country: country === undefined ? undefined : parseCountry(country),
    });
    this.addresses[found ? "complete" : "incomplete"] += 1;
    return found;
  }

  private countOptOut({ column, verdict, value }: OptOut, isImported: boolean): void {
    if (!isImported) this.counts.rowsOptedOut += 1;
    addOptOuts(this.counts.optOuts, column.name, {
      [isImported ? "identifiers" : "rows"]: 1,
      ...(verdict === "blank" && column.index >= 0 && { blank: 1 }),
      ...(verdict === "unclear" && { unclear: 1, value }),
    });
  }

  /** Adds rows that another reader has handled; `blank` of them held no identifier. */
  addCounts({ rows, blank }: { rows: number; blank: number }): void {
    this.counts.rowsRead += rows;
    this.counts.rowsBlank += blank;
  }

  /** Adds the opt-outs that another reader has found; they belong to rows that `addCounts` has added. */
  addOptOuts(found: readonly { column: ConsentColumn; rows: number; identifiers: number; blank: number }[]): void {
    for (const { column, blank, ...counts } of found) {
      this.counts.rowsOptedOut += counts.rows;
      addOptOuts(this.counts.optOuts, column.name, { ...counts, blank: column.index >= 0 ? blank : 0 });
    }
  }

  private reportInvalid(
    { reason, value }: { reason: InvalidReason; value: string },
    place: { file: number; line: number },
  ) {
    const { counts } = this;
    counts.rowsInvalid += 1;
    counts.invalidByReason[reason] = (counts.invalidByReason[reason] ?? 0) + 1;
    if (counts.problems.length < maxProblems) counts.problems.push({ ...place, reason, value: maskValue(value) });
  }
}

/** Returns the first objection in the row about the person, and about each kind of identifier. */
function readOptOuts(
  cells: readonly string[],
  columns: readonly ConsentColumn[],
): Partial<Record<ConsentScope, OptOut>> | undefined {
  let found: Partial<Record<ConsentScope, OptOut>> | undefined;
  for (const column of columns) {
    const value = cells[column.index] ?? "";
    const verdict = readConsent(column.kind, value);
    if (verdict === "in") continue;
    found ??= {};
    found[column.scope] ??= { column, verdict, value };
  }
  return found;
}

/** Returns the first country that is known, such as a name beside a dialing code, and otherwise the first value. */
function findCountry(cells: readonly string[], columns: readonly number[]): string {
  let unknown = "";
  for (const index of columns) {
    const country = (cells[index] ?? "").trim();
    const known = country === "" ? undefined : parseCountry(country);
    if (known) return known;
    unknown ||= country;
  }
  return unknown;
}

function isBlank(value: string): boolean {
  return value.replace(/[\ufeff\u00a0]/g, "").trim() === "";
}

/** Google Contacts writes several addresses of one kind into one cell. */
function splitValues(value: string): string[] {
  return value.includes(" ::: ") ? value.split(" ::: ") : [value];
}
