import { type ImportField, importFields } from "../../catalog-import.ts";

/** English names of columns, without spaces and signs. */
const english: Record<ImportField, RegExp> = {
  name: /^(product|item|article)?(name|title)$/,
  sku: /^(product|item|variant|article)?(sku|code|number|no|id)(number|code)?$|^(part|model)number$|^mpn$/,
  category: /^(product|item)?(category|categories|type|department)(name)?$/,
  price: /^(product|item|unit|retail|sale|sales|selling|list|regular)?price$|^amount$/,
  description: /^(product|item|short|long|full)?description$|^(body|details)$/,
  inventory: /^(inventory|stock)(count|level|quantity|qty)?$|^(quantity|qty|onhand|available)(instock|onhand)?$/,
  image: /^(product|main|primary)?(image|picture|photo|thumbnail)(url|link|src|address)?1?$/,
  brand: /^(brand|vendor|manufacturer|make)(name)?$/,
  group: /^(item)?group(id)?$|^parent(sku|id)?$|^handle$/,
  status: /^(product|item|listing)?status$|^(active|published|enabled|visible|online)$/,
};

/**
 * The usual names of columns in German, French, Spanish, Italian, Dutch, Portuguese, Polish, Russian and Japanese,
 * without accents, spaces and signs.
 */
const localized: Record<ImportField, string> = {
  name: `bezeichnung artikelbezeichnung artikelname produktname produktbezeichnung titel artikel nom nomduproduit
    nomproduit designation libelle titre nombre nombredelproducto titulo producto nomeprodotto nome titolo prodotto
    denominazione naam productnaam artikelnaam omschrijvingkort nomedoproduto produto nazwa nazwaproduktu tytul название
    наименование имя товар номенклатура 商品名 品名 名称 名前 商品名称 製品名`,
  sku: `artikelnummer artikelnr artnr bestellnummer produktnummer referenz reference referenceproduit ref ugs codeproduit
    codearticle codigo codigodeproducto referencia clave codice codiceprodotto codicearticolo riferimento artikelcode
    productcode codigodoproduto indeks kodproduktu symbol numerartykulu артикул код кодтовара 商品コード 品番 商品番号 型番
    管理番号`,
  category: `kategorie produktkategorie warengruppe kategorien rubrik categorie categories categorieproduit famille rayon
    categoria categorias tipodeproducto familia categoriaprodotto reparto productcategorie categorieen productgroep
    kategoria kategorie grupatowarowa категория категории раздел группа カテゴリ カテゴリー 分類 商品カテゴリ`,
  price: `preis verkaufspreis bruttopreis vk vkpreis einzelpreis stuckpreis endpreis prix prixttc prixdevente prixunitaire
    tarif precio precioventa pvp preciounitario preciodeventa prezzo prezzodivendita prezzounitario prijs verkoopprijs
    preco precodevenda valor cena cenabrutto cenasprzedazy цена стоимость розничнаяцена 価格 販売価格 単価 定価 税込価格`,
  description: `beschreibung produktbeschreibung artikelbeschreibung langtext descriptif descriptionproduit descripcion
    descripciondelproducto descrizione descrizioneprodotto beschrijving omschrijving productomschrijving descricao
    descricaodoproduto opis opisproduktu описание 説明 商品説明 詳細`,
  inventory: `bestand lagerbestand menge lager anzahl verfugbar quantite stock stockdisponible qte existencias inventario
    cantidad quantita giacenza disponibilita magazzino voorraad aantal estoque quantidade ilosc stan stanmagazynowy
    количество остаток наличие 在庫 在庫数 数量`,
  image: `bild bildurl bildlink produktbild image imageproduit photo urlimage lienimage imagen urlimagen foto immagine
    urlimmagine linkimmagine afbeelding afbeeldingurl imagem urldaimagem zdjecie obraz изображение фото картинка 画像
    画像url 商品画像`,
  brand: `marke hersteller marque fabricant marca fabricante produttore merk fabrikant producent марка бренд
    производитель ブランド メーカー`,
  group: `gruppe hauptartikel groupe grupo gruppo groep grupa группа`,
  status: `aktiv veroffentlicht statut etat actif publie estado activo publicado stato attivo pubblicato actief
    gepubliceerd ativo aktywny статус активен опубликован ステータス 公開 状態`,
};
const words: Record<ImportField, ReadonlySet<string>> = toWordSets();

function toWordSets(): Record<ImportField, ReadonlySet<string>> {
  const set = (field: ImportField) => new Set(localized[field].split(/\s+/).map(guessKey));
  return {
    name: set("name"),
    sku: set("sku"),
    category: set("category"),
    price: set("price"),
    description: set("description"),
    inventory: set("inventory"),
    image: set("image"),
    brand: set("brand"),
    group: set("group"),
    status: set("status"),
  };
}

/** A name without case, accents, spaces, signs, currencies and remarks on taxes. */
function guessKey(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("_", " ")
    .replaceAll("ł", "l")
    .replace(/[([]?\b(?:in )?(?:usd|us\$|eur|gbp|chf|[a-z]{3}\$)\b[)\]]?|[$€£¥₽]|\binkl\b.*$|\bincl\b.*$|\bttc\b/g, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .normalize("NFC");
}

/** For a file of unknown origin: guesses the column of each field by its name. */
export function guessColumns(header: readonly string[]): Partial<Record<ImportField, string>> {
  const guessed: Partial<Record<ImportField, string>> = {};
  for (const field of importFields) {
    const matchingColumn = header.find((name) => {
      const key = guessKey(name);
      const matches = key !== "" && (english[field].test(key) || words[field].has(key));
      return matches && !Object.values(guessed).includes(name);
    });
    if (matchingColumn !== undefined) guessed[field] = matchingColumn;
  }
  return guessed;
}
