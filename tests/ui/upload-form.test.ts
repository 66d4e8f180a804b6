import { createElement } from "react";
import { expect, test } from "vitest";
import { noConsentStated } from "#app/domain/audiences/consent/audience-consent.ts";
import { UploadForm } from "#app/screens/publisher/audiences/upload-form.tsx";
import { renderInRouter } from "#tests/support/render-in-router.ts";

test("the modes of an upload say, without scripting, that a list of opt-outs is to be removed", async () => {
  const audience = { name: "Hikers", href: "/shop/audiences/x", consent: noConsentStated };
  const sent = { to: "/shop/audiences/x/uploads", audience, idempotencyKey: "key-of-the-page" };
  const form = createElement(UploadForm, sent);
  const html = await renderInRouter("/shop/audiences/x/uploads", form);
  expect(html).toMatch(/<fieldset[^>]* id="mode" aria-describedby="mode-hint"/);
  expect(html).toMatch(
    /id="mode-hint">For a list of people who opted out, choose Remove\. [^<]*Replace leaves only them/,
  );
});
