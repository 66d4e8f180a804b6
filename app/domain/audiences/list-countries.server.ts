import { getCountries } from "libphonenumber-js";

let listed: { code: string; name: string }[] | undefined;

/** The countries whose phone numbers can be read, by their English name. */
export function listCountries(): readonly { code: string; name: string }[] {
  const names = new Intl.DisplayNames("en", { type: "region" });
  listed ??= getCountries()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
  return listed;
}
