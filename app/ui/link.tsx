import {
  type FormProps,
  type LinkProps,
  Form as RemixForm,
  Link as RemixLink,
  useFetcher,
  useFormAction,
  useLocation,
  useNavigation,
} from "@remix-run/react";
import {
  type ComponentType,
  createContext,
  type ForwardedRef,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  useContext,
  useState,
} from "react";
import { viewerField } from "./form/viewer-field.ts";

/**
 * Remix's link and form in the browser. On the server, where nothing can be clicked, the same elements without their
 * hooks, which resolve each URL against all routes above: a list has a hundred links and forms.
 */
export const Link: ComponentType<LinkProps> = import.meta.env.SSR ? ServerLink : RemixLink;
export const Form: ComponentType<FormProps & RefAttributes<HTMLFormElement>> = import.meta.env.SSR
  ? ServerPageForm
  : /* @__PURE__ */ forwardRef(BrowserForm);

/** Returns whether a form that changes something is being sent, or the page after it is loading. */
export function useIsPosting(): boolean {
  return useNavigation().formMethod === "POST";
}

/**
 * Returns the form of a fetcher, and what it is sending; on the server nothing. Below it, ids of `useId` differ between
 * server and browser, so no component there may use one.
 */
export const useFormFetcher: (options: { key: string }) => FormFetcher = import.meta.env.SSR
  ? () => idleFetcher
  : useFetcher;

type FormFetcher = Pick<ReturnType<typeof useFetcher>, "state" | "formData"> & { Form: ComponentType<FormProps> };

const idleFetcher: FormFetcher = {
  state: "idle",
  formData: undefined,
  Form: (props) => <ServerForm {...props} discover="none" />,
};

/** The page's own action, which each form without one has. */
const PageAction = /* @__PURE__ */ createContext<string | undefined>(undefined);

/**
 * Resolves the page's action once for all forms in it, on the server. It must be rendered by the same route as they
 * are.
 */
export function SharedPageAction({ children }: { children: ReactNode }) {
  return <PageAction.Provider value={useFormAction()}>{children}</PageAction.Provider>;
}

/** The id of the person whose page it is. */
export const ViewerContext = /* @__PURE__ */ createContext<string | undefined>(undefined);

/**
 * Returns the id of the person whose page it was when the component was first shown on it. It stays while the page's
 * data is loaded again, perhaps for a person who signed in in another tab meanwhile, because what was entered does too.
 */
export const usePageViewer: () => string | undefined = import.meta.env.SSR
  ? () => useContext(ViewerContext)
  : usePinnedViewer;

function usePinnedViewer(): string | undefined {
  const viewer = useContext(ViewerContext);
  const { pathname } = useLocation();
  // Not the location's key: a rejected form, with the same values, has another one.
  const [pinned, pin] = useState({ pathname, viewer });
  if (pinned.pathname !== pathname) pin({ pathname, viewer });
  return pinned.viewer;
}

/**
 * Returns the children of a form. One that changes something also sends whose page it is on, because another person may
 * sign in in another tab.
 */
function useFormChildren({ method, children }: FormProps): ReactNode {
  const viewer = usePageViewer();
  if (viewer === undefined || method !== "post") return children;
  return (
    <>
      <input type="hidden" name={viewerField} value={viewer} />
      {children}
    </>
  );
}

function BrowserForm(props: FormProps, ref: ForwardedRef<HTMLFormElement>) {
  return (
    <RemixForm {...props} ref={ref}>
      {useFormChildren(props)}
    </RemixForm>
  );
}

/** The attribute that tells Remix which routes to discover: all are known, and the browser's build leaves it out. */
const usualDiscover = import.meta.env.DEV ? "render" : "none";

function ServerLink(props: LinkProps) {
  const { to } = props;
  if (typeof to !== "string") return <RemixLink discover={usualDiscover} {...props} />;
  if (isPlainPath(to)) return <PlainLink {...props} />;
  return to.startsWith("?") && !to.includes("#") ? (
    <QueryLink {...props} to={to} />
  ) : (
    <RemixLink discover={usualDiscover} {...props} />
  );
}

/** A link to the current page with another query. */
function QueryLink({ to, ...props }: LinkProps & { to: string }) {
  const { pathname } = useLocation();
  return <PlainLink {...props} to={to === "?" ? pathname : pathname + to} />;
}

/** The attributes that Remix's link renders, in its order. */
function PlainLink({
  to,
  target,
  prefetch,
  discover = usualDiscover,
  relative,
  reloadDocument,
  replace,
  state,
  preventScrollReset,
  ...rest
}: LinkProps) {
  return <a {...rest} data-discover={discoverOf({ discover, reloadDocument })} href={String(to)} target={target} />;
}

function ServerPageForm(props: FormProps) {
  return <ServerForm {...props}>{useFormChildren(props)}</ServerForm>;
}

function ServerForm(props: FormProps) {
  const pageAction = useContext(PageAction);
  const action = props.action ?? pageAction;
  const isKnown = action !== undefined && (action === pageAction || isPlainPath(action));
  return isKnown ? <PlainForm {...props} action={action} /> : <RemixForm discover={usualDiscover} {...props} />;
}

/** The attributes that Remix's form renders, in its order. */
function PlainForm({
  method = "get",
  action,
  discover = usualDiscover,
  fetcherKey,
  navigate,
  reloadDocument,
  replace,
  state,
  relative,
  preventScrollReset,
  onSubmit,
  ...rest
}: FormProps) {
  return (
    <form
      method={method.toLowerCase() === "get" ? "get" : "post"}
      action={action}
      {...rest}
      data-discover={discoverOf({ discover, reloadDocument })}
    />
  );
}

function discoverOf({ discover, reloadDocument }: Pick<LinkProps, "discover" | "reloadDocument">) {
  return discover === "render" && !reloadDocument ? "true" : undefined;
}

/** Whether a URL is a path that the router leaves as it is. */
function isPlainPath(url: string): boolean {
  return /^(?:\/|(?:\/[\w-]+(?:\.\w+)*)+)(?:\?[^#]+)?(?:#.+)?$/.test(url);
}
