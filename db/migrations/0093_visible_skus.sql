-- Imports read a SKU without the characters that nobody sees (app/domain/visible-text.ts), so that a file would create a second product beside
-- one that was stored with them. Where the account has the visible SKU already, or two of them show the same, the products stay as they are.
-- bounded: SKUs with an invisible character come from single cells that were copied from a web page or a mail.
WITH found AS (
  SELECT id, account_id, btrim(
    regexp_replace(sku, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]', '', 'g'),
    E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
  ) AS visible
  FROM products
  -- Tag characters after U+1F3F4 are part of the flag.
  WHERE sku ~ '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]'
    AND strpos(sku, U&'\+01F3F4') = 0
), oldest AS (
  SELECT DISTINCT ON (account_id, visible) id, account_id, visible FROM found WHERE visible <> '' ORDER BY account_id, visible, id
)
UPDATE products SET sku = oldest.visible
FROM oldest
WHERE products.id = oldest.id
  AND NOT EXISTS (SELECT FROM products other WHERE other.account_id = oldest.account_id AND other.sku = oldest.visible);
