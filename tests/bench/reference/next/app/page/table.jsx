"use client";
import Link from "next/link";

/** The cells and actions of the product's own list; a client component, because it has to be alive in the browser. */
export function CampaignTable({ rows }) {
  return (
    <table>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }) {
  const page = `/advertiser/campaigns/${row.id}`;
  return (
    <tr>
      <td>
        <Link prefetch={false} href={page}>
          {row.name}
        </Link>
        <small>{row.objective ?? "Not selected"}</small>
      </td>
      <td>
        <span className="badge badge-dot badge-good">{row.status}</span>
      </td>
      <td>
        <span className="chips">
          {row.channels.map((channel) => (
            <span className="chip" key={channel}>
              {channel}
            </span>
          ))}
        </span>
      </td>
      <td>
        <strong>${Number(row.spend_micros) / 1e6}</strong>
        <progress value={0} max={1} aria-label="Spent of the budget" />
        <small>of ${Number(row.total_budget_cents) / 100}</small>
      </td>
      <td>
        <strong>{row.impressions}</strong>
        <small>
          {row.clicks} <span>clicks</span>
        </small>
      </td>
      <td>
        {row.start_date} – {row.end_date}
      </td>
      <td>
        <Link prefetch={false} className="button" aria-label={`View ${row.name}`} title="View" href={page}>
          <span className="row-icon row-icon-view" aria-hidden />
        </Link>
        <Link prefetch={false} className="button" aria-label={`Edit ${row.name}`} title="Edit" href={`${page}/edit`}>
          <span className="row-icon row-icon-edit" aria-hidden />
        </Link>
        <form method="post">
          <input type="hidden" name="campaign" value={row.id} />
          <button type="submit" name="intent" value="pause" aria-label={`Pause ${row.name}`} title="Pause">
            <span className="row-icon row-icon-pause" aria-hidden />
          </button>
        </form>
        <details className="menu">
          <summary aria-label={`More actions for ${row.name}`} title="More actions">
            <span className="row-icon row-icon-more" aria-hidden />
          </summary>
          <form method="post">
            <input type="hidden" name="campaign" value={row.id} />
            <button type="submit" name="intent" value="duplicate">
              <span className="row-icon row-icon-copy" aria-hidden /> Duplicate
            </button>
          </form>
        </details>
      </td>
    </tr>
  );
}
