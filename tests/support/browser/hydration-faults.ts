import type { Page } from "@playwright/test";

/**
 * Returns the attributes in which the server's HTML differs from what the browser's components render, one readable
 * line for each. React leaves them as the server wrote them and, outside development, reports nothing; other
 * differences are errors of the page. Must be called before anything changes the page.
 */
export async function findHydrationFaults(page: Page): Promise<string[]> {
  return page.evaluate(compareAttributes);
}

/**
 * Runs in the page. React holds the properties of each element that it has hydrated under a name with a random ending.
 */
function compareAttributes(): string[] {
  const faults: string[] = [];
  // The state of fields and what React applies in its own way.
  const notAttributes =
    /^(?:children|key|ref|style|nonce|dangerouslySetInnerHTML|suppress.*|on[A-Z].*|auto[Ff]ocus|value|checked|selected|multiple|default[A-Z].*)$/;
  const plain = (name: string) => (name === "className" ? "class" : name === "htmlFor" ? "for" : name);
  const comparable = (name: string) => plain(name).toLowerCase().replaceAll(/[-:]/g, "");
  const isAbsent = (value: unknown) => value === null || value === undefined || value === false || value === "false";
  const asText = (value: unknown) => (isAbsent(value) ? "absent" : value === true ? "" : String(value));
  for (const element of document.querySelectorAll("*")) {
    const key = Object.keys(element).find((name) => name.startsWith("__reactProps$"));
    const props: unknown = key && Reflect.get(element, key);
    if (typeof props !== "object" || props === null) continue;
    const rendered = new Map(
      Object.entries(props).flatMap(([name, value]) =>
        notAttributes.test(name) || typeof value === "function" ? [] : [[comparable(name), asText(value)]],
      ),
    );
    const written = new Map(
      [...element.attributes].flatMap(({ name, value }) =>
        notAttributes.test(name) ? [] : [[comparable(name), asText(value)]],
      ),
    );
    for (const name of new Set([...rendered.keys(), ...written.keys()])) {
      const [ours = "absent", servers = "absent"] = [rendered.get(name), written.get(name)];
      if (ours === servers || (ours === "" && servers === "true") || (servers === "" && ours === "true")) continue;
      faults.push(`<${element.localName}> ${name}: "${servers}" on the server, "${ours}" in the browser`);
    }
  }
  return [...new Set(faults)];
}
