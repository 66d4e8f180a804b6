import { headerKey, separateWords } from "./header-key.ts";

/**
 * What a column about consent holds. `consent`: yes means that the person agreed. `opt_out`: yes means that the person
 * objected. `status`: a status of any kind, in which only the words for an opt-out count.
 */
export type ConsentKind = "consent" | "opt_out" | "status";
/** What the column's answer is about: the whole person, or only one kind of identifier. */
export type ConsentScope = "person" | "email" | "phone";
/** `index` is -1 for a statement that the file makes as a whole: every row then lacks the consent. */
export type ConsentColumn = { index: number; name: string; kind: ConsentKind; scope: ConsentScope };

/** Builds a pattern of words that may be anywhere in a column name; accents and spaces are removed from the words. */
function anyOf(words: string): RegExp {
  return new RegExp(words.trim().split(/\s+/).map(headerKey).join("|"));
}

/**
 * Builds a pattern of terms for the names of files and sheets, in which a term begins a word or follows “e”, “donot” or
 * “dont”: “local leads” does not have the term call. “Callaway” and “textiles” do not either.
 */
function anyName(words: string): RegExp {
  const patterns = words
    .trim()
    .split(/\s+/)
    .map((word) => separateWords(word) + (/^(?:call|text)$/.test(word) ? "(?:s|ed|ing|list)?(?!\\p{L})" : ""));
  return new RegExp(`(?<![\\p{sc=Latin}\\p{sc=Cyrillic}])(?:donot|dont)?e?(?:${patterns.join("|")})`, "u");
}

const objections = anyOf(`
  unsubscrib unsubscription unsubtime unsubdate unsubreason cleantime opt-out opted-out opts-out suppress blacklist blocklist
  do-not-contact do-not-call do-not-email do-not-mail do-not-text do-not-sms do-not-sell do-not-share do-not-track
  do-not-market do-not-process do-not-profile do-not-phone do-not-target do-not-solicit do-not-disturb
  dont-contact dont-call dont-email dont-mail dont-text dont-market dont-track dont-process dont-profile dont-sell
  no-email-marketing no-marketing no-contact no-newsletter consent-withdrawn consent-revoked withdrew-consent
  should-forget forget-this-individual
  abgemeldet abmeldung abbestellt widerspruch widersprochen widerrufen keine-werbung kein-newsletter werbesperre kontaktsperre
  nicht-kontaktieren nicht-anrufen
  désabonn désinscri ne-pas-contacter ne-pas-appeler ne-pas-envoyer ne-pas-démarcher refus opposition
  de-baja fecha-baja no-contactar no-llamar no-enviar rechaza desuscri
  disiscri non-contattare non-chiamare non-inviare rifiut opposizione revoca
  uitgeschreven uitschrijv afgemeld afmeld niet-contacteren niet-bellen niet-mailen niet-benaderen geen-marketing geen-reclame
  geen-nieuwsbrief bezwaar
  descadastr desinscri não-contatar não-contactar não-ligar não-enviar cancelou-inscrição cancelou-assinatura recus
  wypisan rezygnac sprzeciw nie-kontaktować nie-dzwonić nie-wysyłać wycofan cofnięt
  отписан отписал отписк отказ отозван не-звонить не-писать не-беспокоить не-контактировать не-отправлять
  配信停止 配信不可 配信拒否 受信拒否 拒否 購読解除 登録解除 オプトアウト 退会 希望しない 連絡不可
`);
/** Names that mean an opt-out only as a whole. */
const objectionNames = new RegExp(`^(${["unsub", "dnc", "cleaned", "baja", "fecha-baja"].map(headerKey).join("|")})$`);

const agreements = anyOf(`
  consent opt-in opted-in opts-in subscribed subscriber-status newsletter-subscription email-subscription sms-subscription
  marketing-subscription mailing-subscription accepts-marketing accepts-email accepts-sms accepts-text accept-marketing
  accept-email receive-marketing receive-email receive-news receive-offers receive-promo receive-sms receives-marketing
  receives-email allow-marketing allow-email allow-sms allow-contact allows-marketing can-contact can-email can-text
  marketing-allowed email-allowed contact-allowed marketing-permission email-permission sms-permission permission-to
  agreed-to-marketing agreed-to-receive agrees-to-receive wants-newsletter wants-marketing wants-email
  receive-review receive-acs accepts-product-review partner-offers
  ad-user-data ad-personalization ad-personalisation personalized-ads personalised-ads
  einwilligung zustimmung einverstanden werbeerlaubnis abonniert akzeptiert-email akzeptiert-marketing akzeptiert-sms
  akzeptiert-werbung email-werbung werbung-erlaubt werbung-erwünscht newsletter-angemeldet newsletter-anmeldung
  newsletter-empfänger newsletter-abonnent emailmarketing-erlaubt
  consentement accepte-marketing accepte-le-marketing accepte-les accepte-email accepte-les-emails accepte-sms accepte-newsletter
  accepte-la-newsletter abonné-à abonné-newsletter inscrit-à inscrit-newsletter lettre-d-information infolettre
  offres-partenaires accord-marketing accord-commercial accepte-de-recevoir
  consentimiento acepta-marketing acepta-el-marketing acepta-correo acepta-email acepta-sms acepta-publicidad
  acepta-comunicaciones acepta-promociones acepta-recibir acepta-boletin acepta-newsletter suscrito suscrita suscripción-al
  suscripción-a-la suscripción-newsletter suscripción-boletín
  consenso accetta-marketing accetta-il-marketing accetta-email accetta-sms accetta-newsletter accetta-comunicazioni
  accetta-promozioni iscritto iscritta iscrizione-newsletter iscrizione-alla-newsletter
  toestemming accepteert-marketing accepteert-email accepteert-sms accepteert-reclame aangemeld ingeschreven
  consentimento aceita-marketing aceita-email aceita-e-mail aceita-sms aceita-receber aceita-promoções aceita-comunicações
  inscrito inscrita assinante
  zgoda zgody zapisan akceptuje-marketing akceptuje-email subskrybuje subskrybent
  согласие согласен подписан подписка-на принимает-рассыл разрешен
  同意 許可 購読 オプトイン 配信希望 配信可 配信設定 メール配信 受信希望 メール受信
`);
/** Names that mean consent only as a whole. */
const agreementNames = new RegExp(
  `^(is|has|wants)?(${[
    ...[
      "newsletter",
      "newsletters",
      "newsletter-status",
      "mailing-list",
      "email-list",
      "gdpr",
      "emailable",
      "abonné",
      "abonnée",
    ],
    ...[
      "nieuwsbrief",
      "boletín",
      "boletim",
      "biuletyn",
      "рассылка",
      "メルマガ",
      "メールマガジン",
      "ニュースレター",
      "ニュースレター登録",
    ],
    ...["newsletter-abo", "newsletter-opt", "receive-newsletter", "newsletter-ja-nein"],
  ]
    .map(headerKey)
    .join("|")})$`,
);

const statuses =
  /^(subscription|member|membership|contact|customer|email|list|audience|profile|marketing|abo|anmelde|kontakt|kunden)?(status|statut|статус|ステータス)$|^(statut|etat|estado|stato|статус)(de|del|della|di|do|da|la|l)*(abonnement|inscription|suscripcion|iscrizione|assinatura|inscricao|подписки)$/;

/** Details of an agreement, such as its date or its text: they do not say whether the person agreed. */
const agreementDetails =
  /(timestamp|time|date|datum|updatedat|createdat|givenat|grantedat|subscribedat|method|methoddetail|source|ip|ipaddress|id|ids|url|link|token|count|level|type|consenttext|optintext|version|name|title|campaign|form|location|language|reason|by)$|^(date|datum|data(?!processing|protection|sharing|privacy|consent)|fecha|дата|quelle|source)|日時|日付|cookie|terms|conditions/;
const objectionDetails = /(id|ids|url|link|token|count|title|campaign|reasonother|method|source|ip|by)$|url|link/;
/** Channels that an audience has no identifier for. */
const otherChannels = /fax|push|directmail|postal|postmail|briefpost|inapp|webnotification|cookie/;
/** Messaging apps: an agreement to them says nothing about the phone number, an objection does. */
const messengers = /whatsapp|viber|telegram|lineaccount|wechat/;

const emailTermList = `
  mail newsletter correo courriel posta-elettronica boletin boletim nieuwsbrief lettre infolettre biuletyn poczt
  почт рассыл メール メルマガ ニュースレター
`;
const phoneTermList = `
  sms mms phone text call mobile telefon telephone téléphone teléfono telefoon whatsapp viber anruf appeler llamar bellen ligar
  dzwon телеф звон смс 電話 携帯 ショートメッセージ
`;
const emailTerms = anyOf(emailTermList);
const phoneTerms = anyOf(phoneTermList);
const emailNames = anyName(emailTermList);
const phoneNames = anyName(phoneTermList);

/** Recognizes a column that says whether people agreed or objected, by its name in ten languages. */
export function detectConsentColumn(name: string, index: number): ConsentColumn | undefined {
  const key = headerKey(name);
  const kind = key.length > 80 ? undefined : kindOf(key);
  return kind && { index, name, kind, scope: scopeOf(emailTerms.test(key), phoneTerms.test(key)) };
}

function kindOf(key: string): ConsentKind | undefined {
  if (otherChannels.test(key)) return undefined;
  if (objections.test(key) || objectionNames.test(key)) return objectionDetails.test(key) ? undefined : "opt_out";
  if (statuses.test(key)) return "status";
  if (!agreements.test(key) && !agreementNames.test(key)) return undefined;
  return agreementDetails.test(key) || messengers.test(key) ? undefined : "consent";
}

/** Returns which identifiers the name of a file or sheet, as separateWords returns it, is about. */
export function scopeOfName(words: string): ConsentScope {
  return scopeOf(emailNames.test(words), phoneNames.test(words));
}

function scopeOf(isEmail: boolean, isPhone: boolean): ConsentScope {
  return isEmail === isPhone ? "person" : isEmail ? "email" : "phone";
}
