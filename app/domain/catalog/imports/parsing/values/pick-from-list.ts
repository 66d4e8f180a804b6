import type { DialectDefinition } from "../dialects/dialect-definition.ts";

/** Picks one of a list of categories, as a path with " > ". */
export function pickCategory(text: string, rules: DialectDefinition["categories"]): string {
  if (!rules || text === "") return text;
  const paths = splitList(text, rules.list).map((one) => {
    const levels = rules.level ? splitList(one, rules.level).filter((level) => level !== "") : [one];
    const [root, ...below] = levels;
    return root === rules.root && below.length > 0 ? below : levels;
  });
  const [first = []] = paths;
  const deepest = paths.reduce((best, path) => (path.length > best.length ? path : best), first);
  return (rules.pick === "deepest" ? deepest : first).join(" > ");
}

/** Picks the first of a list of images; a file name becomes a URL where the program's server is known. */
export function pickImage(text: string, rules: DialectDefinition["images"]): string {
  const first = (rules?.list ? (text.split(rules.list, 1)[0] ?? "") : text).replaceAll("\\,", ",").trim();
  // Magento's word for no image.
  if (first === "no_selection") return "";
  return rules?.base && first !== "" && !/^https?:/i.test(first) ? `${rules.base}${first}` : first;
}

/**
 * Returns the first brand of a list separated by commas, without the brands that it is below, as a store's API names
 * it.
 */
export function pickBrand(list: string): string {
  return splitList(splitList(list, ",")[0] ?? "", ">").at(-1) ?? "";
}

/** Splits a list at its separator; after a backslash the separator is part of a name. */
function splitList(text: string, separator: string | undefined): string[] {
  if (separator === undefined) return [text];
  const parts: string[] = [];
  let part = "";
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\" && text[at + 1] === separator) part += text[++at];
    else if (text[at] === separator) {
      parts.push(part.trim());
      part = "";
    } else part += text[at];
  }
  return [...parts, part.trim()];
}
