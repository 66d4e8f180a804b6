import type { ListingStatus } from "#app/domain/catalog/product.ts";

/**
 * What programs write for whether they sell a product, in the languages that they write it in, and what spreadsheets
 * make of TRUE and FALSE in theirs.
 */
const words: Record<ListingStatus, string> = {
  active: `1 true yes y on active enabled published visible online unlisted for sale ja aktiv veröffentlicht sichtbar oui
    actif active publié sí si activo publicado attivo pubblicato visibile actief gepubliceerd zichtbaar sim ativo tak
    aktywny opublikowany да активен опубликован 有効 公開 アクティブ 出品中
    wahr vrai verdadero vero waar verdadeiro prawda истина`,
  draft: `0 2 -1 false no n off draft inactive disabled unpublished hidden private pending invisible offline incomplete
    staging nein inaktiv entwurf deaktiviert verborgen non inactif brouillon désactivé no inactivo borrador oculto
    inattivo bozza nascosto nee inactief concept não inativo rascunho nie nieaktywny szkic нет неактивен черновик 無効
    非公開 下書き 停止中 不完全
    falsch faux falso onwaar fałsz ложь`,
  archived: `archived archive discontinued deleted ended archiviert archivé archivado archiviato gearchiveerd arquivado
    zarchiwizowany архив архивирован アーカイブ済み アーカイブ`,
};

const statusByWord = new Map<string, ListingStatus>();
for (const status of ["active", "draft", "archived"] as const) {
  for (const word of words[status].split(/\s+/)) if (!statusByWord.has(word)) statusByWord.set(word, status);
}

const order: readonly ListingStatus[] = ["archived", "draft", "active"];

/** Reads a status cell; undefined for an unknown word. */
export function parseListingStatus(text: string): ListingStatus | undefined {
  return statusByWord.get(text.trim().toLowerCase());
}

/** Returns the status that forbids the most; null when none is given. */
export function strictestStatus(statuses: readonly (ListingStatus | null)[]): ListingStatus | null {
  return order.find((status) => statuses.includes(status)) ?? null;
}
