import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { asCents } from "#app/domain/money.ts";
import PaySubscription from "#app/screens/publisher/subscription/pay/route.tsx";

const loaded = vi.hoisted(() => ({ data: {} }));
vi.mock("@remix-run/react", async (original) => ({
  ...(await original<object>()),
  useLocation: () => ({ pathname: "/publisher/billing/subscription/pay", search: "", key: "page" }),
  useLoaderData: () => loaded.data,
  useActionData: () => undefined,
  useNavigation: () => ({ state: "idle" }),
  Form: (props: ComponentProps<"form">) => createElement("form", props),
  Link: ({ to, prefetch: _, ...rest }: ComponentProps<"a"> & { to: string; prefetch?: string }) =>
    createElement("a", { href: to, ...rest }),
}));

const visa = { brand: "Visa", lastFour: "4242", expired: false };

function render(input: { available: number; method: typeof visa | null; cancelAtPeriodEnd?: boolean }): string {
  const funding = { payFrom: "earnings", available: asCents(input.available) };
  const { method, cancelAtPeriodEnd = false } = input;
  const plan = { planType: "starter", amount: asCents(9_900), cancelAtPeriodEnd, method, funding };
  loaded.data = { base: "/publisher", paymentsEnabled: true, key: "a key", ...plan };
  return renderToStaticMarkup(createElement(PaySubscription));
}

test("a past-due plan that earnings cover is paid from them, as its page says, with a card and without", () => {
  for (const method of [visa, null]) {
    const html = render({ available: 50_000, method });
    expect(html).toContain("Your earnings ($500.00 available)");
    expect(html).not.toContain("4242");
    expect(html).toContain("Pay now</button>");
  }
});

test("earnings that do not cover it leave the payment method, or ask for one", () => {
  expect(render({ available: 9_899, method: visa })).toMatch(/4242.*\$98\.99 available.*Pay now<\/button>/);
  const html = render({ available: 9_899, method: null });
  expect(html).toContain("No payment methods");
  expect(html).not.toContain("Pay now</button>");
});

test("a canceled plan stays canceled when it is paid, as its page says", () => {
  expect(render({ available: 0, method: visa, cancelAtPeriodEnd: true })).toContain("It stays canceled and ends");
  expect(render({ available: 0, method: visa })).not.toContain("canceled");
});
