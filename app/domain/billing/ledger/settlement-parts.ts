import type { CalendarMonth } from "../../calendar-month.ts";
import { asCents, type Cents, microsToCents } from "../../money.ts";
import { type SettlementAmounts, type UnsettledLineItem, unsettledAmounts } from "./spend-posting.ts";

/** Spend in micros, as text, by the month of delivery (`YYYY-MM`). */
export type SpendByMonth = Record<string, string>;

/**
 * A part of a line item's settlement: its regular spend (`adjustsMonth` is null), or the adjustment of a closed month.
 */
export type SettlementPart = {
  adjustsMonth: CalendarMonth | null;
  amounts: SettlementAmounts;
};

/**
 * Splits what remains to be settled of a line item: the changes of each closed month are an adjustment of their own,
 * and everything else is regular. Rounding applies to totals, so the parts sum to the amounts of the whole. Increases
 * come before reductions, so that no part reduces what is settled below zero. Parts without an amount are left out.
 * Pure.
 */
export function settlementParts(
  item: UnsettledLineItem & { settledMicros: bigint; settledByMonth: SpendByMonth; spendByMonth: SpendByMonth },
  firstOpen: CalendarMonth,
): SettlementPart[] {
  const months = new Set([...Object.keys(item.settledByMonth), ...Object.keys(item.spendByMonth)]);
  const closed = [...months].filter((month) => month < firstOpen).sort() as CalendarMonth[];
  const adjustments = closed.map((month) => ({
    adjustsMonth: month,
    micros: BigInt(item.spendByMonth[month] ?? 0) - BigInt(item.settledByMonth[month] ?? 0),
  }));
  const adjusted = adjustments.reduce((sum, { micros }) => sum + micros, 0n);
  const regular = { adjustsMonth: null, micros: item.spendMicros - item.settledMicros - adjusted };
  const changes = [regular, ...adjustments];
  const inOrder = [...changes.filter(({ micros }) => micros > 0n), ...changes.filter(({ micros }) => micros < 0n)];
  let { settledMicros, settledSpend, settledEarnings } = item;
  return inOrder.flatMap(({ adjustsMonth, micros }): SettlementPart[] => {
    settledMicros += micros;
    const amounts = unsettledAmounts({ ...item, spendMicros: settledMicros, settledSpend, settledEarnings });
    settledSpend = asCents(settledSpend + amounts.spend);
    settledEarnings = asCents(settledEarnings + amounts.earnings);
    return amounts.spend === 0 ? [] : [{ adjustsMonth, amounts }];
  });
}

/** Returns the total of the parts, in cents. Pure. */
export function sumParts(parts: readonly { amounts: SettlementAmounts }[]): { spend: Cents; earnings: Cents } {
  const sum = (field: "spend" | "earnings") => asCents(parts.reduce((all, { amounts }) => all + amounts[field], 0));
  return { spend: sum("spend"), earnings: sum("earnings") };
}

/** Returns whether there is anything to settle. Pure. */
export function isUnsettled({ spendMicros, settledSpend }: UnsettledLineItem): boolean {
  return microsToCents(spendMicros) !== settledSpend;
}
