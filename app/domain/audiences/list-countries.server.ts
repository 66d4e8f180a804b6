import { getCountries } from "libphonenumber-js";

let countries: { code: string; name: string }[] | undefined;

/** Lists the countries whose phone numbers can be parsed, sorted by English name. */
export function listCountries(): readonly { code: string; name: string }[] {
  const names = new Intl.DisplayNames("en", { type: "region" });
  countries ??= getCountries()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
  return countries;
}
