import type { ConsentKind } from "./consent-columns.ts";
import { headerKey } from "./header-key.ts";

/**
 * What a cell says: `in`: nothing against importing the person. `out`: the person objected or did not agree. `blank`:
 * the agreement is missing. `unclear`: the value is not understood. Only `in` lets the person in.
 */
export type ConsentVerdict = "in" | "out" | "blank" | "unclear";
type Meaning = "yes" | "no" | "opted_in" | "opted_out" | "blank" | "other";

const words = (text: string) => text.trim().split(/\s+/).map(headerKey);

const meanings = new Map<string, Meaning>([
  ...toEntries(
    "yes",
    `yes y true t 1 10 on x oui si s ja j sim tak да д はい 有 有り あり 可
     wahr vrai vraie vero verdadero verdadeiro waar prawda истина
     granted given accepted agreed allowed enabled active confirmed explicit consented received
     erteilt erlaubt aktiv zugestimmt accepté acceptée autorisé actif aceptado activo concedido accettato attivo concesso
     akkoord actief verleend aceito ativo aktywny wyrażona udzielona активен получено есть 同意 同意する 同意済み 許可 希望 希望する 有効`,
  ),
  ...toEntries(
    "no",
    `no n false f 0 00 off non nein nee nie não нет н いいえ 無 無し なし 否 不可 しない
     falsch faux fausse falso onwaar fałsz ложь
     denied declined refused rejected never pending disabled inactive invalid redacted unconfirmed not-confirmed not-activated
     not-active none-given not-given
     abgelehnt verweigert inaktiv ausstehend refusé refusée inactif en-attente rechazado inactivo pendiente rifiutato inattivo
     geweigerd inactief recusado inativo pendente odmowa nieaktywny brak-zgody неактивен отклонено 不同意 同意しない 希望しない 無効`,
  ),
  ...toEntries(
    "opted_in",
    `subscribed subscribe subscriber opted-in opt-in optin double-opt-in single-opt-in double-opted-in
     abonniert angemeldet abonné abonnée inscrit inscrite suscrito suscrita iscritto iscritta ingeschreven aangemeld inscrito
     inscrita assinante zapisany zapisana subskrybuje подписан подписана 購読中 購読 登録済み 配信中 配信可 オプトイン`,
  ),
  ...toEntries(
    "opted_out",
    `unsubscribed unsubscribe unsub never-subscribed not-subscribed nonsubscribed non-subscribed not-opted-in opted-out opt-out
     optout suppressed user-suppressed manual-suppression cleaned bounced hard-bounce hard-bounced complained complaint
     spam-complaint spam marked-as-spam blocked blocklisted blacklisted withdrawn revoked do-not-contact do-not-email
     do-not-call global-unsubscribe
     abgemeldet-vom-newsletter abgemeldet abbestellt widerrufen widersprochen gesperrt nicht-abonniert nicht-angemeldet
     désabonné désabonnée désinscrit désinscrite non-abonné non-abonnée non-inscrit non-inscrite
     dado-de-baja dada-de-baja baja de-baja no-suscrito no-suscrita desuscrito
     disiscritto disiscritta non-iscritto non-iscritta revocato
     uitgeschreven afgemeld niet-ingeschreven niet-aangemeld
     descadastrado descadastrada desinscrito desinscrita não-inscrito não-inscrita
     wypisany wypisana niezapisany niezapisana nie-subskrybuje rezygnacja
     отписан отписана отписался отписалась не-подписан не-подписана отказ отозвано
     配信停止 停止 停止中 解除 解除済み 購読解除 登録解除 拒否 未登録 未購読 オプトアウト 退会 退会済み`,
  ),
  ...toEntries("blank", "null none nil undefined na nan"),
]);

/** Marks that are not letters. */
const marks: Record<string, Meaning> = { "✓": "yes", "✔": "yes", "☑": "yes", "○": "yes", "◯": "yes", "●": "yes" };
for (const mark of ["×", "✗", "✘", "✕", "✖", "☐"]) marks[mark] = "no";

/** Klaviyo lists the channels that a person agreed to: `["email","sms"]`. */
const channelList = /^(email|sms|web|mobile|directmail|push|whatsapp)+$/;
const calendarDate = /^\d{4}[-./年]\s?\d{1,2}[-./月]\s?\d{1,2}|^\d{1,2}[-./]\s?\d{1,2}[-./]\s?\d{2,4}/;
/** Days since 1900, as spreadsheets store dates, and Unix times in seconds or milliseconds. */
const dateNumber = /^[2-9]\d{4}(\.\d+)?$|^1\d{9}(\d{3})?$/;

const maxRemembered = 2_000;
const remembered: Record<ConsentKind, Map<string, ConsentVerdict>> = {
  consent: new Map(),
  opt_out: new Map(),
  status: new Map(),
};

/** Reads one cell of a column about consent. */
export function readConsent(kind: ConsentKind, value: string): ConsentVerdict {
  const known = remembered[kind].get(value);
  if (known) return known;
  const verdict = verdicts[kind][meaningOf(value.slice(0, 200))];
  if (remembered[kind].size >= maxRemembered) remembered[kind].clear();
  if (value.length <= 64) remembered[kind].set(value, verdict);
  return verdict;
}

const verdicts: Record<ConsentKind, Record<Meaning, ConsentVerdict>> = {
  consent: { yes: "in", opted_in: "in", no: "out", opted_out: "out", blank: "blank", other: "unclear" },
  opt_out: { yes: "out", opted_out: "out", no: "in", opted_in: "in", blank: "in", other: "unclear" },
  status: { yes: "in", opted_in: "in", no: "in", opted_out: "out", blank: "in", other: "in" },
};

function meaningOf(value: string): Meaning {
  const trimmed = value.replace(/[\ufeff\u00a0]/g, "").trim();
  const mark = marks[trimmed];
  if (mark) return mark;
  const key = trimmed === "-1" ? "1" : headerKey(trimmed);
  if (key === "" || /^0{4}-?00-?00/.test(trimmed)) return "blank";
  if (/^0+$/.test(key)) return "no";
  const meaning = meanings.get(key);
  if (meaning) return meaning;
  if (channelList.test(key)) return "yes";
  return isDate(trimmed) ? "yes" : "other";
}

/** A date says when the person agreed or objected. */
function isDate(text: string): boolean {
  if (calendarDate.test(text) || dateNumber.test(text)) return true;
  return /[a-z]{3}.*\b(19|20)\d\d\b/i.test(text) && !Number.isNaN(Date.parse(text));
}

function toEntries(meaning: Meaning, text: string): [string, Meaning][] {
  return words(text).map((word) => [word, meaning]);
}
