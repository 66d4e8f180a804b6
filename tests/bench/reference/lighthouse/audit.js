import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

/**
 * `node audit.js CHROMIUM URL [COOKIE]`: audits a page as Lighthouse does for a phone, which computes a slow connection
 * and a slow processor, and prints the score of each category, of 100, with the audits that cost points.
 */
const [chromePath, url, cookie] = process.argv.slice(2);
const chrome = await launch({ chromePath, chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu"] });
try {
  const result = await lighthouse(url, {
    port: chrome.port,
    logLevel: "silent",
    onlyCategories: ["performance", "accessibility", "best-practices", "seo"],
    extraHeaders: cookie ? { Cookie: cookie } : undefined,
  });
  const { audits, categories, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const scores = Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, score * 100]));
  const weak = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
      .map(({ id }) => [id, audits[id].displayValue].filter(Boolean).join(" ")),
  );
  console.info(JSON.stringify({ scores, weak }));
} finally {
  chrome.kill();
}
