import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeBlocks, readTexts } from "./read-text.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const storedHashes = (file: string) =>
  new Set(describeBlocks(readTexts([file]).blocks).map((line) => line.slice(0, 64)));

/**
 * The header lines of the programs' exports, whole, and invented rows by column name. `agreed` has both identifiers
 * where the export has them, with a national phone number in Germany; `optedOut` objected; `phoneOnly` has no email
 * address.
 */
type Row = Record<string, string>;
type Layout = { header: string; agreed: Row; optedOut: Row; phoneOnly?: Row; phone?: string };
const german = "+4930901820";
const layouts: Record<string, Layout> = {
  Shopify: {
    header:
      "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags",
    agreed: row("Email", "Default Address Phone", "Default Address Country Code", "DE", accepts("yes")),
    optedOut: row("Email", "Default Address Phone", "Default Address Country Code", "DE", accepts("no")),
    phoneOnly: row("", "Default Address Phone", "Default Address Country Code", "DE", accepts("yes")),
    phone: german,
  },
  WooCommerce: {
    header:
      "user_id,user_login,first_name,last_name,user_email,billing_company,billing_email,billing_phone,billing_city,billing_postcode,billing_country,mailchimp_woocommerce_is_subscribed",
    agreed: row("billing_email", "billing_phone", "billing_country", "DE", {
      mailchimp_woocommerce_is_subscribed: "1",
    }),
    optedOut: { billing_email: "b@example.com", mailchimp_woocommerce_is_subscribed: "0" },
    phoneOnly: row("", "billing_phone", "billing_country", "DE", { mailchimp_woocommerce_is_subscribed: "0" }),
    phone: german,
  },
  "Magento, customers": {
    header:
      "email,_website,_store,confirmation,created_at,created_in,disable_auto_group_change,dob,firstname,gender,group_id,lastname,is_subscribed,_address_city,_address_country_id,_address_firstname,_address_telephone,_address_postcode",
    agreed: row("email", "_address_telephone", "_address_country_id", "DE", { is_subscribed: "1" }),
    optedOut: row("email", "_address_telephone", "_address_country_id", "DE", { is_subscribed: "0" }),
    phoneOnly: row("", "_address_telephone", "_address_country_id", "DE", { is_subscribed: "1" }),
    phone: german,
  },
  "Magento, newsletter": {
    header: "ID,Email,Type,Customer First Name,Customer Last Name,Status,Website,Store,Store View",
    agreed: { Email: "a@example.com", Status: "Subscribed" },
    optedOut: { Email: "b@example.com", Status: "Unsubscribed" },
  },
  BigCommerce: {
    header:
      "Customer ID,First Name,Last Name,Company,Email,Phone,Notes,Store Credit,Customer Group,Date Joined,Receive Review Emails?,Tax Exempt Category",
    agreed: { Email: "a@example.com", Phone: german, "Receive Review Emails?": "Yes" },
    optedOut: { Email: "b@example.com", "Receive Review Emails?": "No" },
    phoneOnly: { Phone: german, "Receive Review Emails?": "No" },
    phone: german,
  },
  Klaviyo: {
    header:
      "Email,Klaviyo ID,First Name,Last Name,Organization,Title,Phone Number,Address,Address 2,City,State / Region,Country,Zip Code,Latitude,Longitude,Source,IP Address,Initial Source,Email Marketing Consent,Email Marketing Consent Timestamp,SMS Marketing Consent,SMS Marketing Consent Timestamp",
    agreed: row("Email", "Phone Number", "Country", "Germany", subscribed("SUBSCRIBED", "SUBSCRIBED")),
    optedOut: row("Email", "Phone Number", "Country", "Germany", subscribed("UNSUBSCRIBED", "NEVER_SUBSCRIBED")),
    phoneOnly: row("", "Phone Number", "Country", "Germany", subscribed("NEVER_SUBSCRIBED", "SUBSCRIBED")),
    phone: german,
  },
  Mailchimp: {
    header:
      "Email Address,First Name,Last Name,Address,Phone Number,Birthday,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER,LEID,EUID,NOTES,TAGS",
    agreed: row("Email Address", "Phone Number", "CC", "de", {}),
    optedOut: row("Email Address", "Phone Number", "CC", "de", { UNSUB_TIME: "2026-05-01 10:00:00" }),
    phone: german,
  },
  HubSpot: {
    header:
      "Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Country/Region,Unsubscribed from all email,Lead Status,Marketing contact status,Create Date",
    agreed: row("Email", "Mobile Phone Number", "Country/Region", "Germany", {
      "Marketing contact status": "Marketing contact",
      "Lead Status": "New",
    }),
    optedOut: { Email: "b@example.com", "Unsubscribed from all email": "true" },
    phoneOnly: row("", "Phone Number", "Country/Region", "Deutschland", { "Unsubscribed from all email": "true" }),
    phone: german,
  },
  Salesforce: {
    header:
      "Salutation,First Name,Last Name,Email,Phone,Mobile,Mailing Street,Mailing City,Mailing Zip/Postal Code,Mailing Country,Email Opt Out,Do Not Call,Lead Source",
    agreed: row("Email", "Mobile", "Mailing Country", "Germany", { "Email Opt Out": "0", "Do Not Call": "0" }),
    optedOut: row("Email", "Phone", "Mailing Country", "Germany", { "Email Opt Out": "1", "Do Not Call": "1" }),
    phoneOnly: row("", "Phone", "Mailing Country", "Germany", { "Email Opt Out": "1", "Do Not Call": "0" }),
    phone: german,
  },
  Square: {
    header:
      "Reference ID,First Name,Last Name,Email Address,Phone Number,Nickname,Company Name,Street Address 1,Street Address 2,City,State,Postal Code,Birthday,Memo,Square Customer ID,Creation Source,First Visit,Last Visit,Transaction Count,Lifetime Spend,Email Subscription Status,Instant Profile",
    agreed: {
      "Email Address": "a@example.com",
      "Phone Number": `'${german}`,
      "Email Subscription Status": "subscribed",
      "Instant Profile": "No",
    },
    optedOut: { "Email Address": "b@example.com", "Email Subscription Status": "unsubscribed" },
    phoneOnly: { "Phone Number": `'${german}`, "Email Subscription Status": "unsubscribed" },
    phone: german,
  },
  "Google Contacts": {
    header:
      "First Name,Middle Name,Last Name,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - City,Address 1 - Country,Opt-out",
    agreed: row("E-mail 1 - Value", "Phone 1 - Value", "Address 1 - Country", "DE", {
      "E-mail 1 - Label": "* Work",
      "Phone 1 - Label": "Mobile",
    }),
    optedOut: { "E-mail 1 - Value": "b@example.com", "Opt-out": "yes" },
    phoneOnly: row("", "Phone 1 - Value", "Address 1 - Country", "Germany", {}),
    phone: german,
  },
  PrestaShop: {
    header:
      "ID,Social title,First name,Last name,Email address,Group,Sales,Enabled,Newsletter,Partner offers,Registration,Last visit",
    agreed: { "Email address": "a@example.com", Newsletter: "1", "Partner offers": "1", Enabled: "1" },
    optedOut: { "Email address": "b@example.com", Newsletter: "1", "Partner offers": "0", Enabled: "1" },
  },
};

function row(email: string, phone: string, country: string, name: string, more: Row): Row {
  return { ...(email && { [email]: `${name.length}a@example.com` }), [phone]: "030 901820", [country]: name, ...more };
}
function accepts(answer: string): Row {
  return { "Accepts Email Marketing": answer, "Accepts SMS Marketing": answer };
}
function subscribed(email: string, sms: string): Row {
  return { "Email Marketing Consent": email, "SMS Marketing Consent": sms };
}

/** Writes rows below a header; a column that the header lacks is an error of the test. */
function toFile(header: string, rows: readonly Row[], delimiter = ","): string {
  const names = header.split(delimiter);
  const lines = rows.map((cells) => {
    const unknown = Object.keys(cells).filter((name) => !names.includes(name));
    if (unknown.length > 0) throw new Error(`not in the header: ${unknown.join(", ")}`);
    return names.map((name) => cells[name] ?? "").join(delimiter);
  });
  return [header, ...lines].join("\n");
}

describe.each(Object.entries(layouts))("%s's export", (_, { header, agreed, optedOut, phoneOnly, phone }) => {
  test("imports who agreed, by each identifier, and leaves out who did not", () => {
    const emails = Object.values(agreed).filter((value) => value.includes("@"));
    expect(emails).toHaveLength(1);
    const found = storedHashes(toFile(header, [agreed]));
    expect(found.has(sha256(emails[0] ?? ""))).toBe(true);
    if (phone) expect(found.has(sha256(phone))).toBe(true);
    const { counts } = readTexts([toFile(header, [agreed, optedOut])]);
    expect(counts).toMatchObject({ rowsRead: 2, rowsBlank: 0, rowsInvalid: 0, rowsOptedOut: 1 });
    expect(storedHashes(toFile(header, [optedOut])).size).toBe(0);
  });

  test.runIf(phoneOnly)("imports a person without an email address by the phone number", () => {
    const file = toFile(header, [phoneOnly ?? {}]);
    expect(readTexts([file]).counts).toMatchObject({ rowsRead: 1, rowsBlank: 0, rowsInvalid: 0, rowsOptedOut: 0 });
    expect(storedHashes(file).has(sha256(german))).toBe(true);
  });
});

/**
 * Of each language: email, phone and country columns, a country's name, a column of agreements and one of objections,
 * yes and no.
 */
const languages: Record<string, string> = {
  English: "Email Address|Phone Number|Country|Germany|Marketing Consent|Do Not Contact|Yes|No",
  German: "E-Mail-Adresse|Telefonnummer|Land|Deutschland|Werbeeinwilligung|Werbesperre|Ja|Nein",
  French: "Adresse e-mail|Numéro de téléphone|Pays|Allemagne|Consentement marketing|Ne pas contacter|Oui|Non",
  Spanish: "Correo electrónico|Teléfono móvil|País|Alemania|Consentimiento|No contactar|Sí|No",
  Italian: "Indirizzo email|Cellulare|Paese|Germania|Consenso marketing|Non contattare|Sì|No",
  Dutch: "E-mailadres|Telefoonnummer|Land/regio|Duitsland|Toestemming|Niet benaderen|Ja|Nee",
  Portuguese: "Endereço de e-mail|Número de telefone|País/Região|Alemanha|Consentimento|Não contatar|Sim|Não",
  Polish: "Adres e-mail|Numer telefonu|Kraj|Niemcy|Zgoda marketingowa|Nie kontaktować się|Tak|Nie",
  Russian: "Адрес электронной почты|Номер телефона|Страна|Германия|Согласие на рекламу|Не беспокоить|Да|Нет",
  Japanese: "メールアドレス|電話番号|国・地域|ドイツ|同意|配信停止|はい|いいえ",
};

function parseLanguage(line: string) {
  const [email = "", phone = "", country = "", germany = "", agrees = "", objects = "", yes = "", no = ""] =
    line.split("|");
  return { email, phone, country, germany, agrees, objects, yes, no };
}

describe.each(Object.entries(languages))("%s headers", (_, line) => {
  const { email, phone, country, germany, agrees, objects, yes, no } = parseLanguage(line);
  const person = (number: number, answer: Row) => ({
    [email]: `${number}@example.com`,
    [phone]: "030 901820",
    [country]: germany,
    ...answer,
  });

  test.each([
    ["agreements", agrees, yes, no],
    ["objections", objects, no, yes],
  ])("with a column of %s: country by name, and who says no is left out", (_kind, column, stays, leaves) => {
    const header = [email, phone, country, column].join(";");
    const staying = toFile(header, [person(1, { [column]: stays })], ";");
    expect(storedHashes(staying)).toEqual(
      new Set([...storedHashes(toFile("Email;Phone", [{ Email: "1@example.com", Phone: german }], ";"))]),
    );
    const both = toFile(header, [person(1, { [column]: stays }), person(2, { [column]: leaves })], ";");
    expect(readTexts([both]).counts).toMatchObject({
      rowsRead: 2,
      rowsBlank: 0,
      rowsInvalid: 0,
      rowsOptedOut: 1,
      optOuts: [{ column, rows: 1 }],
    });
    expect(storedHashes(toFile(header, [person(2, { [column]: leaves })], ";")).size).toBe(0);
  });
});

test("titles above the names and the line sep=; are not part of the table", () => {
  const table = "Correo electrónico;Teléfono;País\nann@example.com;030 901820;Alemania";
  const expected = storedHashes("Email,Phone\nann@example.com,+4930901820");
  for (const above of [
    "sep=;\n",
    "sep=;\r\n",
    "\ufeffsep=;\n",
    "Clientes\n\n",
    "Clientes;;\nExportado el;2 de mayo;\n",
  ]) {
    expect([above, storedHashes(above + table)]).toEqual([above, expected]);
  }
});

test("a dialing code is not taken for the country that another column names", () => {
  const expected = storedHashes("Email,Phone\nann@example.com,+4930901820");
  for (const code of ["49", "+49", "0049", ""]) {
    const file = `Email,Country code,Phone,Country\nann@example.com,${code},030 901820,Germany`;
    expect([code, storedHashes(file)]).toEqual([code, expected]);
  }
});

test("no row is ever neither imported, nor counted as opted out, nor reported, in any layout", () => {
  const headers = [
    ...Object.values(layouts).map(({ header }) => header.split(",")),
    ...Object.values(languages)
      .map(parseLanguage)
      .map((one) => [one.email, one.phone, one.country, one.agrees, one.objects]),
  ];
  const cell = fc.oneof(
    fc.constantFrom("", " ", "yes", "no", "1", "0", "true", "false", "Ja", "Нет", "はい", "maybe", "SUBSCRIBED"),
    fc.constantFrom("unsubscribed", "2026-05-01 10:00:00", "DE", "Germany", "Atlantis", "030 901820", german),
    fc.constantFrom("a@example.com", "b@example.com", "not an address", "c@", "'+4930901820", "12", "@", "\u00a0"),
    fc.string({ maxLength: 12 }).map((text) => text.replace(/[",\r\n;|\t]/g, "")),
  );
  const file = fc.constantFrom(...headers).chain((names) =>
    fc.tuple(
      fc.constant(names.join(",")),
      fc.array(
        fc.array(cell, { minLength: names.length, maxLength: names.length }).map((cells) => cells.join(",")),
        { minLength: 1, maxLength: 6 },
      ),
    ),
  );
  fc.assert(
    fc.property(file, fc.integer({ min: 1, max: 60 }), fc.boolean(), ([header, lines], chunk, withoutKernel) => {
      const sum = { rowsRead: 0, rowsBlank: 0, rowsInvalid: 0, rowsOptedOut: 0 };
      for (const line of lines) {
        const { counts, blocks } = readTexts([`${header}\n${line}`], { chunk, withoutKernel });
        const imported = blocks.some(({ flags }) => flags.length > 0);
        // A line of nothing but spaces in all cells is blank; each row is exactly one of the four.
        const fates = [imported, counts.rowsBlank === 1, counts.rowsInvalid === 1, counts.rowsOptedOut === 1];
        expect([counts.rowsRead, fates.filter(Boolean).length]).toEqual([1, 1]);
        expect(counts.problems.map((problem) => problem.line)).toEqual(counts.rowsInvalid === 1 ? [2] : []);
        expect(counts.optOuts.reduce((rows, one) => rows + one.rows, 0)).toBe(counts.rowsOptedOut);
        for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
      }
      expect(readTexts([[header, ...lines].join("\n")], { chunk, withoutKernel }).counts).toMatchObject(sum);
    }),
    { numRuns: 150 },
  );
});
