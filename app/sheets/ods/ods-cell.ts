import { formatCellNumber, unsavedFormula } from "../numbers/format-cell.ts";

/** What the file says of a cell (OpenDocument 1.3 part 3, 19.385 to 19.391); undefined where it says nothing. */
export type OdsCell = {
  valueType: string | undefined;
  value: string | undefined;
  dateValue: string | undefined;
  currency: string | undefined;
  hasFormula: boolean;
  /** The paragraphs that the cell shows, joined by line feeds; undefined without any. */
  shown: string | undefined;
};

/**
 * Returns a cell's text as the cell shows it, independent of the writer's language: numbers with a decimal point and
 * without thousands separators, amounts with the code of their currency, dates as ISO 8601, TRUE and FALSE.
 */
export function formatOdsCell({ valueType, value, dateValue, currency, hasFormula, shown }: OdsCell): string {
  switch (valueType) {
    case undefined:
      return shown ?? (hasFormula ? unsavedFormula : "");
    case "float":
      return value === undefined ? (shown ?? "") : numberAsShown(value, shown);
    case "currency": {
      if (value === undefined || !currency) return shown ?? value ?? "";
      return `${numberAsShown(value, shown?.replace(/[\p{Sc}\p{L}]/gu, ""))} ${currency}`;
    }
    case "date":
      return dateValue === undefined ? (shown ?? "") : dateValue.replace(/T00:00:00(?:\.0+)?$/, "").replace("T", " ");
    case "boolean":
      return (value ?? shown ?? "").toUpperCase();
    default:
      return shown ?? value ?? "";
  }
}

const maxDecimals = 10;

/** Returns a number with the decimals and leading zeros that the cell shows; all its digits where it shows fewer. */
function numberAsShown(value: string, shown: string | undefined): string {
  const plain = formatCellNumber(value);
  const text = shown?.trim() ?? "";
  if (/^-?\d+$/.test(text) && Number(text) === Math.round(Number(plain))) return text;
  const number = Number(plain);
  const digits = text.replace(/\D/g, "");
  // A shortened exponent, or digits beyond those that a number has, say less than the value.
  if (/\d[eE][+-]?\d/.test(text) || !Number.isFinite(number)) return plain;
  // A currency or a unit is part of what the cell says, also words alone, such as Yes.
  if (/[\p{Sc}\p{L}]/u.test(text)) return text;
  if (digits === "") return plain;
  for (let decimals = 0; decimals <= maxDecimals; decimals += 1) {
    const rounded = number.toFixed(decimals);
    if (rounded.replace(/\D/g, "") === digits) return rounded;
  }
  return text;
}
