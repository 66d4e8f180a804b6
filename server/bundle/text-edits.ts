/** One change of a package's text: `from` is replaced, or the text from there up to `until`. */
type Edit =
  | { pattern: RegExp; to: string | ((match: string) => string) }
  | { from: string; to: string; until?: string };

/** The edits of one file. */
export type FileEdits = readonly Edit[];

/** Replaces a text that occurs once. */
export function replace(from: string, to: string): Edit {
  return { from, to };
}

/** Replaces every match of a global pattern. */
export function replaceAll(pattern: RegExp, to: string | ((match: string) => string)): Edit {
  return { pattern, to };
}

/** Removes the text from `from`, which occurs once, up to the next `until`, and writes `to` there. */
export function cut(from: string, until: string, to = ""): Edit {
  return { from, until, to };
}

/** Replaces a function by a shorter one. Nothing calls the original any more, so that the bundler removes it. */
export function stub(name: string, parameters: string, body: string): Edit {
  return { from: `function ${name}(`, to: `function ${name}(${parameters}){${body}}function ${name}_unused(` };
}

/**
 * Returns the text after all edits.
 *
 * @throws Error if the text lacks what an edit replaces, or has it twice: the package has changed.
 */
export function applyEdits(code: string, edits: FileEdits, file: string): string {
  return edits.reduce((text, edit) => {
    if ("pattern" in edit) return replaceMatches(text, edit.pattern, edit.to, file);
    const { from, to, until } = edit;
    const start = text.indexOf(from);
    if (start < 0) throw new Error(`${file} lacks the text ${JSON.stringify(from)}`);
    if (text.includes(from, start + 1)) throw new Error(`${file} has the text ${JSON.stringify(from)} twice`);
    const end = until === undefined ? start + from.length : text.indexOf(until, start);
    if (end < 0) throw new Error(`${file} lacks the text ${JSON.stringify(until)} after ${JSON.stringify(from)}`);
    return text.slice(0, start) + to + text.slice(end);
  }, code);
}

function replaceMatches(text: string, from: RegExp, to: string | ((match: string) => string), file: string): string {
  if (text.search(from) < 0) throw new Error(`${file} has nothing that matches ${from}`);
  return text.replace(from, (match) => (typeof to === "string" ? to : to(match)));
}
