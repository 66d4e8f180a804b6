import { Form, Link, useNavigation } from "@remix-run/react";
import { Plug, RefreshCw, Store as StoreIcon } from "lucide-react";
import type { Store } from "#app/domain/catalog/stores/list-stores.server.ts";
import { storeKindLabels, storeKinds } from "#app/domain/catalog/stores/store.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Card } from "#app/ui/layout.tsx";
import { LastSync, StoreBadge } from "./store-words.tsx";

/** The shops that the catalogue is fetched from, and the way to another (specification, section 2). */
export function StoreCards({ base, stores }: { base: PortalBase; stores: readonly Store[] }) {
  return (
    <Card title="Connect Store" flush>
      <ul className="store-list">
        {stores.map((store) => (
          <ConnectedStore key={store.id} base={base} store={store} />
        ))}
        {storeKinds.map((kind) => (
          <li key={kind}>
            <StoreIcon className="icon" aria-hidden />
            <div>
              <strong>{storeKindLabels[kind]}</strong>
              <p className="hint">
                {stores.some((store) => store.kind === kind)
                  ? "Connect another shop"
                  : "Fetch the products of your shop, now and on a schedule"}
              </p>
            </div>
            <LinkButton to={portalHref(base, `/products/stores/connect?kind=${kind}`)} icon={Plug}>
              Connect
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ConnectedStore({ base, store }: { base: PortalBase; store: Store }) {
  const page = portalHref(base, `/products/stores/${store.id}`);
  const busy = useNavigation().formAction === page;
  return (
    <li className="connected">
      <StoreIcon className="icon" aria-hidden />
      <div>
        <Link className="link" to={page} prefetch="intent">
          {store.name}
        </Link>{" "}
        <StoreBadge store={store} />
        <p className="hint">
          <LastSync store={store} />
          {store.nextSyncAt ? ` Next ${formatInstant(store.nextSyncAt)}.` : ""}
        </p>
      </div>
      <Form method="post" action={page}>
        <Button
          name="intent"
          value="sync"
          icon={RefreshCw}
          busy={busy || store.last?.status === "running"}
          busyLabel="Syncing..."
        >
          Sync now
        </Button>
      </Form>
    </li>
  );
}
