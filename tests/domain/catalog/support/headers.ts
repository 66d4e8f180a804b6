/** The columns that shops export, as their documentation lists them. */
export const shopifyLegacy = [
  ..."Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name".split(
    ",",
  ),
  ..."Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker".split(","),
  ..."Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price".split(","),
  ..."Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src".split(","),
  ..."Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,Variant Image,Variant Weight Unit".split(","),
  ..."Variant Tax Code,Cost per item,Status".split(","),
];

export const shopifyNew = [
  ..."Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU".split(","),
  ..."Barcode,Option1 name,Option1 value,Option2 name,Option2 value,Option3 name,Option3 value,Price".split(","),
  ..."Compare-at price,Cost per item,Charge tax,Tax code,Inventory tracker,Inventory quantity".split(","),
  ..."Continue selling when out of stock,Weight value (grams),Weight unit for display,Requires shipping".split(","),
  ..."Fulfillment service,Product image URL,Image position,Image alt text,Variant image URL,Gift card".split(","),
];

export const wooCommerce = [
  ..."ID,Type,SKU".split(","),
  "GTIN, UPC, EAN, or ISBN",
  ..."Name,Published,Is featured?,Visibility in catalog,Short description,Description".split(","),
  ..."Date sale price starts,Date sale price ends,Tax status,Tax class,In stock?,Stock,Low stock amount".split(","),
  ..."Backorders allowed?,Sold individually?,Weight (lbs),Allow customer reviews?,Purchase note".split(","),
  ..."Sale price,Regular price,Categories,Tags,Shipping class,Images,Download limit,Parent".split(","),
  ..."Grouped products,Upsells,Cross-sells,External URL,Button text,Position,Brands".split(","),
];

export const merchantFeed = [
  ..."id,title,description,link,image_link,availability,price,sale_price,brand,gtin,item_group_id".split(","),
  ..."product_type,google_product_category,condition".split(","),
];

export const template = "name,sku,category,price,description,inventory,image_url,brand,group,status".split(",");

export const magento = [
  ..."sku,store_view_code,attribute_set_code,product_type,categories,product_websites,name,description".split(","),
  ..."short_description,weight,product_online,tax_class_name,visibility,price,special_price".split(","),
  ..."special_price_from_date,special_price_to_date,url_key,base_image,small_image,qty,is_in_stock".split(","),
  ..."configurable_variations,configurable_variation_labels,associated_skus".split(","),
];

export const bigCommerce = [
  ..."Item,ID,Name,Type,SKU,Options,Inventory Tracking,Current Stock,Low Stock,Price,Cost Price,Retail Price".split(
    ",",
  ),
  ..."Sale Price,Brand ID,Categories,Description,Is Visible,Is Featured,Variant Image URL".split(","),
  ..."Internal Image URL (Export),Image URL (Import)".split(","),
];

export const bigCommerceLegacy = [
  ..."Item Type,Product ID,Product Name,Product Type,Product Code/SKU,Bin Picking Number,Brand Name".split(","),
  ..."Option Set,Option Set Align,Product Description,Price,Cost Price,Retail Price,Sale Price".split(","),
  ..."Allow Purchases?,Product Visible?,Product Availability,Track Inventory,Current Stock Level".split(","),
  ..."Low Stock Level,Category,Product Image ID - 1,Product Image File - 1".split(","),
];

export const square = [
  ..."Token,Item Name,Variation Name,SKU,Description,Categories,Reporting Category,GTIN,Price".split(","),
  ..."Online Sale Price,Archived,Option Name 1,Option Value 1,Current Quantity North,New Quantity North".split(","),
  "Current Quantity South",
];

export const squarespace = [
  ..."Product ID [Non Editable],Variant ID [Non Editable],Product Type [Non Editable],Product Page".split(","),
  ..."Product URL,Title,Description,SKU,Option Name 1,Option Value 1,Price,Sale Price,On Sale,Stock".split(","),
  ..."Categories,Tags,Weight,Length,Width,Height,Visible,Hosted Image URLs".split(","),
];

export const wix = [
  ..."handleId,fieldType,name,description,productImageUrl,collection,sku,ribbon,price,surcharge,visible".split(","),
  ..."discountMode,discountValue,inventory,weight,cost,productOptionName1,productOptionType1".split(","),
  ..."productOptionDescription1,brand".split(","),
];

export const prestaShop = [
  ..."Product ID;Active (0/1);Name *;Categories (x,y,z...);Price tax excluded;Tax rules ID".split(";"),
  ..."Discount amount;Discount percent;Discount from (yyyy-mm-dd);Discount to (yyyy-mm-dd);Reference #".split(";"),
  ..."Manufacturer;EAN13;Quantity;Summary;Description;Image URLs (x,y,z...)".split(";"),
];

export const etsy = [
  ..."TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,VARIATION 1 TYPE".split(","),
  ..."VARIATION 1 NAME,VARIATION 1 VALUES,SKU".split(","),
];

export const amazonFlatFile = [
  ..."item_sku,item_name,external_product_id,external_product_id_type,brand_name,item_type".split(","),
  ..."standard_price,quantity,currency,main_image_url,parent_child,parent_sku,sale_price".split(","),
  ..."sale_from_date,sale_end_date,product_description".split(","),
];

type AmazonReport = { header: string[]; name: string; sku: string; price: string; status: string };

/** The columns that differ between marketplaces. */
export const amazonReports: [string, AmazonReport][] = [
  [
    "English",
    amazonReport("item-name,item-description,listing-id,seller-sku,price,quantity,open-date,status", 0, 3, 4),
  ],
  ["German", amazonReport("Artikelbezeichnung,Händler-SKU,Preis,Menge,Erstellungsdatum,Produkt-ID,Status", 0, 1, 2)],
  ["French", amazonReport("nom-produit,sku-vendeur,prix,quantité,id-produit,état", 0, 1, 2)],
  ["Spanish", amazonReport("Título del producto,SKU del vendedor,precio,cantidad,Fecha de creación,estado", 0, 1, 2)],
  ["Italian", amazonReport("Nome dell'articolo,SKU venditore,Prezzo,Quantità,Data di creazione,stato", 0, 1, 2)],
  ["Japanese", amazonReport("商品名,出品者SKU,価格,数量,出品日,ステータス", 0, 1, 2)],
];

function amazonReport(columns: string, name: number, sku: number, price: number): AmazonReport {
  const header = columns.split(",");
  const at = (index: number) => header[index] ?? "";
  return { header, name: at(name), sku: at(sku), price: at(price), status: at(header.length - 1) };
}

export const ebayReport = [
  ..."Item number,Title,Variation details,Custom label (SKU),Available quantity,Format,Currency,Start price".split(","),
  ..."Auction Buy It Now price,Reserve price,Current price,Sold quantity,Watchers,Bids,Start date".split(","),
  ..."End date,eBay category 1 name,eBay category 1 number,Condition".split(","),
];

type Localized = Record<"sku" | "name" | "categories" | "regular" | "sale" | "ends" | "published", string> & {
  header: string[];
};

/**
 * WooCommerce's export in other languages: ID, type, SKU, name, published, end of the sale, sale, regular, categories.
 */
export const wooCommerceLocalized: [string, Localized][] = [
  [
    "German",
    "ID;Typ;Artikelnummer;Name;Veröffentlicht;Datum, an dem Angebotspreis endet;Angebotspreis;Regulärer Preis;Kategorien",
  ],
  ["French", "ID;Type;UGS;Nom;Publié;Date de fin de promo;Tarif promo;Tarif régulier;Catégories"],
  [
    "Spanish",
    "ID;Tipo;SKU;Nombre;Publicado;Día en que termina el precio rebajado;Precio rebajado;Precio normal;Categorías",
  ],
  ["Italian", "ID;Tipo;COD;Nome;Pubblicato;Data fine prezzo in offerta;Prezzo in offerta;Prezzo di listino;Categorie"],
  ["Dutch", "ID;Type;Artikelnummer;Naam;Gepubliceerd;Einddatum actieprijs;Actieprijs;Reguliere prijs;Categorieën"],
  ["Portuguese", "ID;Tipo;SKU;Nome;Publicado;Data de preço promocional termina em;Preço promocional;Preço;Categorias"],
  ["Polish", "ID;Typ;SKU;Nazwa;Opublikowano;Data zakończenia promocji;Cena promocyjna;Cena;Kategorie"],
  [
    "Russian",
    "ID;Тип;Артикул;Имя;Опубликован;Дата окончания действия продажной цены;Акционная цена;Базовая цена;Категории",
  ],
  ["Japanese", "ID;タイプ;SKU;名前;公開済み;セール価格の終了日;セール価格;標準価格;カテゴリー"],
].map(([language = "", columns = ""]) => {
  const header = columns.split(";");
  const [, , sku = "", name = "", published = "", ends = "", sale = "", regular = "", categories = ""] = header;
  return [language, { header, sku, name, published, ends, sale, regular, categories }];
});
