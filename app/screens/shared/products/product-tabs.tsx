import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Tabs } from "#app/ui/layout.tsx";

/** The two views of the catalogue (specification, section 2). */
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
