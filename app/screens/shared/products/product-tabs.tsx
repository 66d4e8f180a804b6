import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Tabs } from "#app/ui/page-header.tsx";

/** The two views of the catalog. */
export function ProductTabs({ base, current }: { base: PortalBase; current: "list" | "upload" }) {
  return (
    <Tabs
      label="Product Catalog"
      tabs={[
        { to: portalHref(base, "/products"), label: "Product List", current: current === "list" },
        { to: portalHref(base, "/products/upload"), label: "Upload Products", current: current === "upload" },
      ]}
    />
  );
}
