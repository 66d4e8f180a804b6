import { appName, pageTitle } from "#app/domain/branding.ts";

type PlainPage = {
  heading: string;
  text?: string | undefined;
  link: { href: string; label: string };
  /** The URL of the product's style sheet, if it is known. */
  stylesheet?: string | undefined;
};

/**
 * Returns an HTML page with a single message, in the product's looks and without its scripts, that takes no rendering.
 * The parts are not escaped: never pass user input.
 */
export function plainPage({ heading, text, link, stylesheet }: PlainPage): string {
  const styles = stylesheet === undefined ? "" : `<link rel="stylesheet" href="${stylesheet}">`;
  const paragraph = text === undefined ? "" : `<p>${text}</p>`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${pageTitle(heading)}</title>${styles}</head>
<body><div class="centered">
<header><a href="/" class="wordmark"><span class="logo-mark" aria-hidden="true"></span>${appName}</a></header>
<main id="main" class="card message-page message-page-center"><h1>${heading}</h1>${paragraph}
<div class="actions"><a class="button button-primary" href="${link.href}">${link.label}</a></div></main>
</div></body>
</html>
`;
}
