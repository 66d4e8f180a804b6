type PlainPage = {
  title: string;
  heading: string;
  text?: string;
  link: { href: string; label: string };
};

/** Returns an HTML page without the application's layout and scripts. The parts are not escaped: never pass user input. */
export function plainPage({ title, heading, text, link }: PlainPage): string {
  const paragraph = text === undefined ? "" : `<p>${text}</p>`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${heading}</h1>${paragraph}<p><a href="${link.href}">${link.label}</a></p></main></body>
</html>
`;
}
