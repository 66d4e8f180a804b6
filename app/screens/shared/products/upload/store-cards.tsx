import { useNavigation } from "@remix-run/react";
import type { Store } from "#app/domain/catalog/stores/list-stores.server.ts";
import { type StoreKind, storeKindLabels, storeKinds } from "#app/domain/catalog/stores/store.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { LastSync, StoreStatusBadge } from "#app/screens/shared/products/stores/store-status.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form, Link } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** The stores that the catalog is imported from, and a link to connect another. */
export function StoreCards({ base, stores }: { base: PortalBase; stores: readonly Store[] }) {
  return (
    <Card title="Connect Store" flush>
      <ul className="store-list">
        {stores.map((store) => (
          <StoreCard key={store.id} base={base} store={store} />
        ))}
        {storeKinds.map((kind) => (
          <li key={kind}>
            <BrandMark brand={kind} />
            <div>
              <strong>{storeKindLabels[kind]}</strong>
              <p className="hint">{describeOffer(kind, stores)}</p>
            </div>
            <LinkButton to={portalHref(base, `/products/stores/connect?kind=${kind}`)} icon="plug">
              Connect
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function describeOffer(kind: StoreKind, stores: readonly Store[]): string {
  const isConnected = stores.some((store) => store.kind === kind);
  if (kind === "feed")
    return isConnected
      ? "Connect another feed"
      : "Import a file from a URL now and on a schedule: XML, CSV, TSV or XLSX";
  return isConnected ? "Connect another store" : "Import your store's products now and on a schedule";
}

function StoreCard({ base, store }: { base: PortalBase; store: Store }) {
  const { formatDateTime } = useTimeFormats();
  const page = portalHref(base, `/products/stores/${store.id}`);
  const busy = useNavigation().formAction === page;
  return (
    <li className="store-connected">
      <BrandMark brand={store.kind} />
      <div>
        <Link className="link" to={page} prefetch="intent">
          {store.name}
        </Link>{" "}
        <StoreStatusBadge store={store} />
        <p className="hint">
          <LastSync store={store} />
          {store.nextSyncAt ? `Next sync: ${formatDateTime(store.nextSyncAt)}.` : ""}
        </p>
      </div>
      <Form method="post" action={page}>
        <Button
          name="intent"
          value="sync"
          icon="refresh-cw"
          busy={busy || store.last?.status === "running"}
          busyLabel="Syncing..."
        >
          Sync now
        </Button>
      </Form>
    </li>
  );
}
