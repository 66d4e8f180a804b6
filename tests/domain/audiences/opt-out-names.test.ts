import { expect, test } from "vitest";
import { detectOptOutFile, detectOptOutName } from "#app/domain/audiences/consent/opt-out-names.ts";

test.each([
  "unsubscribed.csv",
  "Unsubscribes 2026-11.xlsx",
  "unsubscribed (1).csv",
  "newsletter-subscribers-unsubscribed.csv.gz",
  "CustomersUnsubscribed.csv",
  "unsubs_march.csv",
  "unsub.csv",
  "optouts.xlsx",
  "Opt Outs.csv",
  "opt_out_list.txt",
  "email-optouts.csv",
  "OPTED-OUT customers.ods",
  "suppression list.csv",
  "suppressed.csv",
  "global_suppression_2026.csv",
  "klaviyo-suppressions.csv",
  "do-not-contact.csv",
  "DoNotContact.csv",
  "do_not_email.csv",
  "don't contact.csv",
  "dnc.csv",
  "DNC list.csv",
  "blacklist.csv",
  "Robinsonliste.csv",
  "abgemeldet.csv",
  "Newsletter-Abmeldungen.xlsx",
  "désabonnés.csv",
  "clientes dados de baja.csv",
  "bajas.csv",
  "disiscritti.csv",
  "uitgeschreven.csv",
  "wypisani.csv",
  "отписанные.csv",
  "配信停止リスト.csv",
  "unsubscribed_members_export_9f2.csv",
  "cleaned_email_audience_export_1.csv",
])("%s is a file of people who objected", (name) => {
  expect(detectOptOutFile(name)).toBeDefined();
});

test.each([
  "subscribed.csv",
  "newsletter-subscribers.csv",
  "subscribed_members_export_9f2.csv",
  "customers.csv",
  "opt-ins.csv",
  "optin_2026.csv",
  "customers-without-unsubscribed.csv",
  "CustomersWithoutUnsubscribed.csv",
  "customers minus opt-outs.csv",
  "customers_no_optouts.csv",
  "never unsubscribed.csv",
  "not-opted-out.csv",
  "loyal (unsubscribes removed).csv",
  "after suppression.csv",
  "suppression applied.csv",
  "Kunden ohne Abgemeldete.xlsx",
  "clients sans désabonnés.csv",
  "resubscribed.csv",
  "cleaned.csv",
  "customers-cleaned.csv",
  "reçus.csv",
  "adopt outfits.csv",
  "eshop-toutes-clientes.csv",
  "coop-touring.csv",
  "laptop-outlet.csv",
  "fire-suppression-buyers.csv",
  "appetite suppressant customers.csv",
  "dnc-donors.csv",
  "baja-california.csv",
  "people.csv",
  "",
])("%s is a file like any other", (name) => {
  expect(detectOptOutFile(name)).toBeUndefined();
});

test("a name says which identifiers people objected to", () => {
  const names = ["unsubscribed", "SMS opt-outs", "Email opt-outs", "do not call", "SMS and email opt-outs"];
  expect(names.map(detectOptOutName)).toEqual(["person", "phone", "email", "phone", "person"]);
});
