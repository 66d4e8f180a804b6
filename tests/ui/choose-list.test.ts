import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import ChooseRemoteList from "#app/screens/publisher/audiences/remote-list/route.tsx";

const page = vi.hoisted((): { data: object; response: object | undefined } => ({ data: {}, response: undefined }));
vi.mock("@remix-run/react", async (original) => ({
  ...(await original<object>()),
  useLocation: () => ({ pathname: "/publisher/audiences/1/list", search: "", key: "page" }),
  useLoaderData: () => page.data,
  useActionData: () => page.response,
  useNavigation: () => ({ state: "idle" }),
  Form: (props: ComponentProps<"form">) => createElement("form", props),
  Link: ({ to, prefetch: _, ...rest }: ComponentProps<"a"> & { to: string; prefetch?: string }) =>
    createElement("a", { href: to, ...rest }),
}));

test("an integration that is not connected is explained once, also after a list was selected", () => {
  const problem = "Klaviyo is not connected. Connect it under Integrations.";
  const audience = { base: "/publisher", id: "1", name: "VIPs", dataSource: "klaviyo", remoteListId: null };
  page.data = { ...audience, lists: [], problem, checks: {} };
  for (const response of [undefined, { initialValue: { list: "x" }, error: { "": [problem] } }]) {
    page.response = response;
    const html = renderToStaticMarkup(createElement(ChooseRemoteList));
    expect(html.match(/Integrations\b(?!<\/a>)/g)).toHaveLength(1);
    expect(html).toContain(`${problem}</div>`);
  }
});
