import type { ConsentKind, ConsentScope } from "../consent/consent-columns.ts";

/** What a column of an audience file is read as. Pure. */
export const columnUses = [
  "email",
  "email_sha256",
  "phone",
  "phone_sha256",
  "country",
  "given_name",
  "family_name",
  "postal_code",
  "consent",
  "consent_email",
  "consent_phone",
  "opt_out",
  "opt_out_email",
  "opt_out_phone",
  "status",
  "status_email",
  "status_phone",
  "ignored",
] as const;
export type ColumnUse = (typeof columnUses)[number];

export const columnUseLabels: Record<ColumnUse, string> = {
  email: "Email address",
  email_sha256: "Hashed email address (SHA-256)",
  phone: "Phone number",
  phone_sha256: "Hashed phone number (SHA-256)",
  country: "Country",
  given_name: "First name (address match)",
  family_name: "Last name (address match)",
  postal_code: "Postal code (address match)",
  consent: "Agreed to marketing",
  consent_email: "Agreed to email marketing",
  consent_phone: "Agreed to SMS or calls",
  opt_out: "Opted out of marketing",
  opt_out_email: "Opted out of email marketing",
  opt_out_phone: "Opted out of SMS or calls",
  status: "Subscription status",
  status_email: "Email subscription status",
  status_phone: "SMS subscription status",
  ignored: "Not imported",
};

type Identifier = { type: "email" | "phone"; hashed: boolean };
const identifiers: Partial<Record<ColumnUse, Identifier>> = {
  email: { type: "email", hashed: false },
  email_sha256: { type: "email", hashed: true },
  phone: { type: "phone", hashed: false },
  phone_sha256: { type: "phone", hashed: true },
};

/** Returns which identifier a column with this use holds, undefined if none. */
export function identifierOf(use: ColumnUse): Identifier | undefined {
  return identifiers[use];
}

export function identifierUse({ type, hashed }: Identifier): ColumnUse {
  return hashed ? `${type}_sha256` : type;
}

const consents: Partial<Record<ColumnUse, { kind: ConsentKind; scope: ConsentScope }>> = {
  consent: { kind: "consent", scope: "person" },
  consent_email: { kind: "consent", scope: "email" },
  consent_phone: { kind: "consent", scope: "phone" },
  opt_out: { kind: "opt_out", scope: "person" },
  opt_out_email: { kind: "opt_out", scope: "email" },
  opt_out_phone: { kind: "opt_out", scope: "phone" },
  status: { kind: "status", scope: "person" },
  status_email: { kind: "status", scope: "email" },
  status_phone: { kind: "status", scope: "phone" },
};

/** Returns what a column with this use says about consent, undefined if nothing. */
export function consentOf(use: ColumnUse): { kind: ConsentKind; scope: ConsentScope } | undefined {
  return consents[use];
}

export function consentUse({ kind, scope }: { kind: ConsentKind; scope: ConsentScope }): ColumnUse {
  return scope === "person" ? kind : `${kind}_${scope}`;
}

/** The uses of the columns that make an address, together with the country. */
export const addressUses = ["given_name", "family_name", "postal_code"] as const satisfies readonly ColumnUse[];

/** Returns whether columns with these uses hold whole addresses or nothing of them. */
export function hasWholeAddress(uses: readonly ColumnUse[]): boolean {
  const found = addressUses.filter((use) => uses.includes(use));
  return found.length === 0 || found.length === addressUses.length;
}

/**
 * What the columns of a table are read as, and the ISO code of the country of rows without one; null is
 * the audience's. The keys are positions, from 0, in a mapping that is remembered for a layout, and column names in one
 * that is sent with an upload. A column that is not in it is detected.
 */
export type ColumnMapping = { columns: Readonly<Record<string, ColumnUse>>; phoneCountry: string | null };

/**
 * The columns of an uploaded table. `key` is the same for all tables with the same column names. `samples` are masked.
 * `mappedBy`: whose choice it is that `use` may differ from what was `detected`.
 */
export type FileLayout = {
  key: string;
  headerless: boolean;
  columns: { name: string; use: ColumnUse; detected: ColumnUse; samples: string[] }[];
  phoneCountry: string | null;
  mappedBy: "detection" | "account" | "upload";
};

/** The columns of a table that a layout lists; further ones are read as detected. */
export const maxLayoutColumns = 200;
