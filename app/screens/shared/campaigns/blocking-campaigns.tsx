import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Link } from "#app/ui/link.tsx";

/** The campaigns that block a deletion. */
export function BlockingCampaigns({
  base,
  campaigns,
}: {
  base: PortalBase;
  campaigns: readonly { id: string; name: string }[];
}) {
  return (
    <ul className="list-disc pl-5">
      {campaigns.map((campaign) => (
        <li key={campaign.id} className="wrap-anywhere">
          <Link className="link" to={portalHref(base, `/campaigns/${campaign.id}`)}>
            {campaign.name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
