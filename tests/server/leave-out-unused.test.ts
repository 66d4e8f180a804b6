import { expect, test } from "vitest";
import { checkPackageCode } from "#server/bundle/leave-out-unused.ts";

const idOf = (name: string) => `/app/node_modules/${name}/dist/index.js`;

test.each([
  "const [isPending, start] = React.useTransition();",
  "reactExports.Children.forEach(children, read);",
  "reactDomExports.flushSync(() => update());",
])("a package whose bundled code has %s fails the build", (code) => {
  expect(() => checkPackageCode(idOf("react-router"), code)).toThrow(
    /react-router.* has (useTransition|Children|flushSync)/,
  );
});

test("a package that is not known fails the build, also within another", () => {
  expect(() => checkPackageCode(idOf("swiper"), "")).toThrow("swiper");
  expect(() => checkPackageCode(idOf("react-router/node_modules/@a/b"), "")).toThrow("@a/b");
});

test("the packages themselves, the app and other code of the router pass", () => {
  checkPackageCode(idOf("react"), "exports.useTransition = useTransition;");
  checkPackageCode("/app/app/root.tsx", "useTransition()");
  checkPackageCode(
    idOf("react-router-dom"),
    "router.subscribe(({ flushSync: flushSync }) => React.startTransition(set));",
  );
});
