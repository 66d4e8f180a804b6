import { headerKey } from "../consent/header-key.ts";
import { addressUses } from "./column-uses.ts";

type AddressUse = (typeof addressUses)[number];

/** Names in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Russian and Japanese. */
const names: Record<AddressUse, ReadonlySet<string>> = {
  given_name: keysOf(
    "First name|Firstname|Given name|Given names|Forename|Fname|FN|Vorname|Prénom|Nombre|Nombres|Nome|Voornaam|Primeiro nome|Imię|Имя|名|名前",
  ),
  family_name: keysOf(
    "Last name|Lastname|Surname|Family name|Lname|LN|Nachname|Familienname|Nom|Nom de famille|Apellido|Apellidos|Cognome|Achternaam|Sobrenome|Apelido|Último nome|Nazwisko|Фамилия|姓|名字",
  ),
  postal_code: keysOf(
    "Zip|Zip code|Zipcode|Postal code|Postalcode|Postcode|Post code|Zip/Postal code|Postal/Zip code|PLZ|Postleitzahl|Code postal|Código postal|CP|CAP|Codice postale|Codice di avviamento postale|Código postal (CEP)|CEP|Kod pocztowy|Индекс|Почтовый индекс|郵便番号",
  ),
};
const owners = /^(?:customer|contact|default|billing|shipping|mailing|home|primary|invoice|address|adress)+/;

/** Returns which part of an address a column probably holds, by its name; nothing is imported for that alone. Pure. */
export function suggestAddressUse(name: string): AddressUse | undefined {
  const key = headerKey(name);
  const bare = key.replace(owners, "");
  for (const use of addressUses) if (names[use].has(key) || names[use].has(bare)) return use;
  return undefined;
}

function keysOf(list: string): ReadonlySet<string> {
  return new Set(list.split("|").map(headerKey));
}
