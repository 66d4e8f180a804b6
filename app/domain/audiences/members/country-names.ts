import { getCountries } from "libphonenumber-js";
import { headerKey } from "../consent/header-key.ts";
import { parseCountryCode } from "./normalize-phone.ts";

const languages = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "ru", "ja"];
/** Names that `Intl.DisplayNames` does not use. */
const furtherNames: Record<string, string> = {
  usa: "US",
  unitedstatesofamerica: "US",
  theunitedstates: "US",
  america: "US",
  vereinigtestaatenvonamerika: "US",
  etatsunisdamerique: "US",
  estadosunidosdeamerica: "US",
  statiunitidamerica: "US",
  соединенныештатыамерики: "US",
  сша: "US",
  米国: "US",
  uk: "GB",
  greatbritain: "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  grossbritannien: "GB",
  großbritannien: "GB",
  vereinigteskonigreich: "GB",
  holland: "NL",
  holanda: "NL",
  thenetherlands: "NL",
  czechrepublic: "CZ",
  tschechischerepublik: "CZ",
  russianfederation: "RU",
  российскаяфедерация: "RU",
  republicofireland: "IE",
  southkorea: "KR",
  koreasouth: "KR",
  turkey: "TR",
  uae: "AE",
};

let codeByName: Map<string, string> | undefined;

/**
 * Returns the ISO code of a country: of a code in any case, or of the country's name in ten languages. Returns
 * undefined when neither is known.
 */
export function parseCountry(text: string): string | undefined {
  const code = parseCountryCode(text);
  if (code) return code;
  if (text.length > 80) return undefined;
  codeByName ??= createNames();
  return codeByName.get(headerKey(text));
}

function createNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const language of languages) {
    const displayNames = new Intl.DisplayNames(language, { type: "region" });
    for (const code of getCountries()) {
      const key = headerKey(displayNames.of(code) ?? code);
      if (!names.has(key)) names.set(key, code);
    }
  }
  for (const [name, code] of Object.entries(furtherNames)) names.set(headerKey(name), code);
  return names;
}
