import { type ConsentScope, scopeOfName } from "./consent-columns.ts";
import { headerKey, separateWords } from "./header-key.ts";

/**
 * Words in the name of a file or sheet of people who objected. Fewer than of columns: “Reçus” may be a sheet of
 * receipts.
 */
const objectors = anyOf(`
  unsubscrib un-subscrib opt-out opted-out blacklist black-list blocklist block-list
  do-not-contact do-not-call do-not-email do-not-mail do-not-text dont-contact dont-call dont-email dont-mail dont-text dnc-list robinson-list
  abgemeldet abmeldung abbestellt werbesperre werbe-sperre kontaktsperre kontakt-sperre sperrliste sperr-liste nicht-kontaktieren
  désabonn désinscri ne-pas-contacter liste-robinson no-contactar desuscri lista-robinson disiscri non-contattare
  uitgeschreven afgemeld niet-contacteren robinsonlijst descadastr não-contatar não-contactar wypisan nie-kontaktować
  отписан отписал не-беспокоить 配信停止 購読解除 登録解除 オプトアウト 退会
`);
/**
 * Spanish for people who unsubscribed, also in one word, as in “clientesdebaja”. Not the places Baja California and
 * Baja Verapaz, nor what is low: “temporada baja” may be written “baja temporada”.
 */
const cancellations =
  /(?<=^|[^\p{L}]|(?:client|contact|usuari|suscriptor|list|listad|dad)[eao]?s?)de ?baja(?! ?(?:california|verapaz|temporada|actividad|frecuencia|gama|intensidad|prioridad|rotacion))/u;
/** A list of suppressed people, not of customers who bought equipment that suppresses fires, dust or noise. */
const suppressions =
  /(?<!(?:fire|flame|smoke|explosion|surge|dust|noise|sound|vibration|odou?r|weed|appetite|cough|hunger) ?)suppress(?!ant|or|ing)/u;
/** Names that mean people who objected only as a whole, apart from numbers. */
const wholeNames = /^(?:unsub|dnc|baja)s?$/u;
const abbreviations = /(?<!\p{L})unsubs(?!\p{L})/u;

/** What else a name may say that the file is without. */
const duplicates = " (?:dup|doubl|dubl|doppel|doppi|dubbel|repetid|дубл)";
/** Words by which a name says that those who objected are not there. */
const exclusions = new RegExp(
  [
    `(?:without|excluding|exklusive)(?!${duplicates})|(?<!重複を)除く`,
    `(?<!\\p{L})(?:excl|minus|ohne|sans|hors|senza|sin|sem|zonder|bez|без)(?!\\p{L}|${duplicates})`,
    "(?<!\\p{L})(?:no|not|non|never|after|post) (?:unsub|opt(?:ed)? ?out|suppress)",
    "(?:unsub\\p{L}*|out|outs|suppress\\p{L}*) (?:removed|excluded|applied|deleted|filtered)(?!\\p{L})",
  ].join("|"),
  "u",
);

/**
 * Recognizes a file or sheet of people who objected, such as “Unsubscribed” beside “Customers”, by its name. Returns
 * what they objected to; undefined for other names.
 */
export function detectOptOutName(name: string): ConsentScope | undefined {
  const words = separateWords(name);
  const isOptOut =
    objectors.test(words) ||
    cancellations.test(words) ||
    suppressions.test(words) ||
    abbreviations.test(words) ||
    wholeNames.test(words.replace(/[\s\p{N}]/gu, ""));
  return isOptOut && !exclusions.test(words) ? scopeOfName(words) : undefined;
}

/**
 * Recognizes a file of people who objected by its name. Mailchimp exports them as `unsubscribed_…` and `cleaned_…`
 * beside the subscribers.
 */
export function detectOptOutFile(name: string): ConsentScope | undefined {
  if (
    /^(unsubscribed|cleaned|nonsubscribed)_(?:[a-z]+_)*(members|audience|segment|list)_(?:[a-z]+_)*export/i.test(name)
  )
    return "person";
  return detectOptOutName(name.replace(/(?:\.(?:csv|tsv|tab|txt|xls[xm]?|ods|gz|zip))+$/i, ""));
}

/**
 * Builds a pattern of words that may be anywhere in a name. Those with hyphens may be written as one word or as
 * several. They begin a word, or follow “email” or “SMS”: “Adopt outdoors” does not have the word opt-out.
 */
function anyOf(list: string): RegExp {
  const patterns = list
    .trim()
    .split(/\s+/)
    .map((word) =>
      word.includes("-") ? `(?<!\\p{L})(?:e?mail|sms)?${separateWords(word).replaceAll(" ", " ?")}` : headerKey(word),
    );
  return new RegExp(patterns.join("|"), "u");
}
