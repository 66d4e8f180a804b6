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

export const template = "name,sku,category,price,description,inventory,image_url,brand,group".split(",");
