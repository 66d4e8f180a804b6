import type { DialectDefinition } from "./dialect-definition.ts";

/** Etsy: Settings > Options > Download data. It has neither categories nor ids, and a list of SKUs for variations. */
export const etsy: DialectDefinition = {
  columns: {
    name: ["title", "titel", "titre", "título", "titolo", "tytuł", "название", "タイトル"],
    sku: ["sku"],
    price: ["price", "preis", "prix", "precio", "prezzo", "prijs", "preço", "cena", "цена", "価格"],
    currency: [
      "currency code",
      "währungscode",
      "code devise",
      "code de devise",
      "código de moneda",
      "codice valuta",
      "valutacode",
      "código da moeda",
      "kod waluty",
      "код валюты",
      "通貨コード",
    ],
    description: [
      "description",
      "beschreibung",
      "descripción",
      "descrizione",
      "beschrijving",
      "descrição",
      "opis",
    ].concat(["описание", "説明"]),
    inventory: ["quantity", "anzahl", "quantité", "cantidad", "quantità", "aantal", "hoeveelheid", "quantidade"].concat(
      ["ilość", "количество", "数量"],
    ),
    image: ["image1", "bild1", "imagen1", "immagine1", "afbeelding1", "imagem1", "zdjęcie1", "изображение1", "画像1"],
    mark: ["tags", "tag", "étiquettes", "etiquetas", "tagi", "теги", "タグ"],
  },
  signature: ["name", "price", "currency", "mark"],
  family: { type: "none" },
  derivedSku: "name",
  listsSkus: true,
};

/** Amazon's inventory files: the names of the columns are in the third row, in newer ones in the fourth or fifth. */
export const amazonFlatFile: DialectDefinition = {
  columns: {
    name: ["item name", "item name#1.value"],
    sku: ["item sku", "contribution sku#1.value"],
    category: ["item type", "item type name", "feed product type", "product type#1.value"],
    price: [
      "standard price",
      "purchasable offer#1.our price#1.schedule#1.value with tax",
      "list price",
      "list price#1.value with tax",
    ],
    sale: ["sale price", "purchasable offer#1.discounted price#1.schedule#1.value with tax"],
    saleFrom: ["sale from date", "purchasable offer#1.discounted price#1.schedule#1.start at"],
    saleTo: ["sale end date", "purchasable offer#1.discounted price#1.schedule#1.end at"],
    currency: ["currency", "purchasable offer#1.currency"],
    description: ["product description", "product description#1.value"],
    inventory: ["quantity", "fulfillment availability#1.quantity"],
    image: ["main image url", "main product image locator#1.media location"],
    brand: ["brand name", "brand#1.value"],
    kind: ["parent child", "parentage level#1.value"],
    parent: ["parent sku", "child parent sku relationship#1.parent sku"],
    barcode: ["external product id"],
  },
  signature: ["sku", "name"],
  family: {
    type: "kinds",
    parents: /^(variation_)?parent$|^übergeordnet|^principal$/,
    variants: /^(variation_)?child$|^untergeordnet/,
    others: /^$a/,
    variantsBy: "parent",
  },
  zeroSaleIsNone: true,
};

/** Amazon's listing reports, in the languages of its marketplaces. They have no categories. */
export const amazonReport: DialectDefinition = {
  columns: {
    name: ["item-name", "artikelbezeichnung", "nom-produit", "título del producto", "nome dell'articolo", "商品名"],
    sku: ["seller-sku", "händler-sku", "sku-vendeur", "sku del vendedor", "sku venditore", "出品者sku"],
    price: ["price", "preis", "prix", "precio", "prezzo", "価格"],
    description: ["item-description", "artikelbeschreibung"],
    inventory: ["quantity", "menge", "quantité", "cantidad", "quantità", "数量"],
    image: ["image-url"],
    status: ["status", "état", "estado", "stato", "ステータス"],
    mark: [
      "listing-id",
      "open-date",
      "erstellungsdatum",
      "fecha de creación",
      "data di creazione",
      "出品日",
      "出品id",
    ].concat(["product-id", "produkt-id", "id-produit"]),
  },
  signature: ["name", "sku", "price", "mark"],
  family: { type: "none" },
};

/** eBay: the report of active listings of the Seller Hub. Variations share the item number of their listing. */
export const ebayReport: DialectDefinition = {
  columns: {
    name: ["title", "titel", "titre", "título", "titolo", "angebotstitel", "titolo dell'inserzione"],
    sku: [
      "custom label (sku)",
      "bestandseinheit (sku)",
      "étiquette personnalisée (sku)",
      "etiqueta personalizada (sku)",
    ].concat(["etichetta personalizzata (sku)", "codice sku"]),
    category: [
      "ebay category 1 name",
      "ebay-kategorie 1 name",
      "nom de la catégorie ebay 1",
      "nome categoria ebay 1",
    ].concat(["nombre de la categoría 1 de ebay"]),
    price: [
      "current price",
      "aktueller preis",
      "prix actuel",
      "precio actual",
      "prezzo attuale",
      "start price",
      "startpreis",
    ],
    currency: ["currency", "währung", "devise", "moneda", "valuta"],
    inventory: ["available quantity", "verfügbare stückzahl", "verfügbare menge", "quantité disponible"].concat([
      "cantidad disponible",
      "quantità disponibile",
    ]),
    group: ["item number", "artikelnummer", "numéro de l'objet", "número de artículo", "numero oggetto"],
    id: ["item number", "artikelnummer", "numéro de l'objet", "número de artículo", "numero oggetto"],
    options: ["variation details", "variantendetails", "détails de la variation", "detalles de la variación"].concat([
      "dettagli variante",
    ]),
    barcode: ["p:ean", "p:upc"],
  },
  signature: ["id", "name", "sku", "currency"],
  family: { type: "kinds", parents: /^$a/, variants: /^$a/, others: /^$a/, variantsBy: "id" },
  namesByOptions: true,
  derivedSku: { prefix: "ebay-" },
};

/** eBay: the template that creates listings. The name of its first column holds the site and the currency. */
export const ebayTemplate: DialectDefinition = {
  columns: {
    name: ["title"],
    sku: ["custom label (sku)", "customlabel"],
    category: ["category name", "store category", "category id", "category"],
    price: ["start price", "startprice"],
    description: ["description"],
    inventory: ["quantity"],
    image: ["item photo url", "picurl"],
    brand: ["c:brand"],
    kind: ["relationship"],
    options: ["relationship details", "relationshipdetails"],
    barcode: ["p:ean", "p:upc"],
    mark: ["action"],
  },
  signature: ["mark", "name", "price"],
  family: {
    type: "kinds",
    parents: /^$a/,
    variants: /^variation$/,
    others: /^(compatibility|info)$/,
    variantsBy: "order",
  },
  images: { list: /\|/ },
  namesByOptions: true,
};

/** Google Merchant Center and Meta catalogs, which accept the same attributes, also with spaces or the prefix `g:`. */
export const merchantFeed: DialectDefinition = {
  columns: {
    name: ["title", "titel", "titre", "título", "titolo", "tytuł", "название", "商品名"],
    sku: ["id"],
    category: [
      "product type",
      "produkttyp",
      "catégorie de produits",
      "categoría",
      "tipo di prodotto",
      "producttype",
      "google product category",
      "fb product category",
      "google produktkategorie",
      "catégorie de produits google",
      "categoría en google product",
      "categoria prodotto google",
    ],
    price: ["price", "preis", "prix", "precio", "prezzo", "prijs", "preço", "cena", "цена", "価格"],
    sale: ["sale price", "sonderangebotspreis", "prix soldé", "precio de oferta", "prezzo scontato", "actieprijs"],
    saleDates: ["sale price effective date", "sonderangebotszeitraum", "période de validité du prix soldé"],
    description: ["description", "beschreibung", "descripción", "descrizione", "beschrijving", "descrição", "opis"],
    inventory: ["quantity to sell on facebook", "inventory", "quantity", "availability", "verfügbarkeit"].concat([
      "disponibilité",
      "disponibilidad",
      "disponibilità",
      "beschikbaarheid",
    ]),
    image: ["image link", "bildlink", "lien image", "enlace imagen", "link immagine"],
    brand: ["brand", "marke", "marque", "marca", "merk"],
    group: ["item group id"],
    status: ["status", "visibility"],
    barcode: ["gtin"],
    mark: [
      "link",
      "image link",
      "availability",
      "product type",
      "google product category",
      "bildlink",
      "verfügbarkeit",
    ].concat(["lien", "enlace", "lien image"]),
  },
  signature: ["sku", "name", "price", "mark"],
  family: { type: "none" },
  images: { list: /,(?=https?:)/ },
  zeroSaleIsNone: true,
};
