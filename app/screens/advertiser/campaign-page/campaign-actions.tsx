import { Form, Link, useNavigation } from "@remix-run/react";
import { Pause, Pencil, Play, Rocket } from "lucide-react";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { RowIcon } from "#app/ui/row-icon.tsx";

/** What one can do with the campaign in its state. `page` is its address. */
export function CampaignActions({
  page,
  campaign: { id, name, status, version, unsentFields },
}: {
  page: string;
  campaign: Pick<CampaignDetail, "id" | "name" | "status" | "version" | "unsentFields">;
}) {
  const busy = useNavigation().formData?.get("campaign") === id;
  const sends = status === "draft" ? "Review & Launch" : unsentFields.length > 0 ? "Send Changes" : undefined;
  return (
    <>
      {status === "active" || status === "paused" ? (
        <Form method="post">
          <input type="hidden" name="campaign" value={id} />
          <Button
            name="intent"
            value={status === "active" ? "pause" : "resume"}
            icon={status === "active" ? Pause : Play}
            busy={busy}
          >
            {status === "active" ? "Pause" : "Resume"}
          </Button>
        </Form>
      ) : null}
      {status === "completed" ? null : (
        <LinkButton to={`${page}/edit`} icon={Pencil}>
          Edit
        </LinkButton>
      )}
      {sends ? (
        <LinkButton to={`${page}/edit?step=6`} variant="primary" icon={Rocket}>
          {sends}
        </LinkButton>
      ) : null}
      <Menu label="More actions" of={`for ${wordsOfName(name)}`}>
        <Form method="post">
          <input type="hidden" name="campaign" value={id} />
          <button type="submit" name="intent" value="duplicate">
            <RowIcon name="copy" /> Duplicate
          </button>
        </Form>
        {version === 0 ? (
          <Link to={`${page}/delete`}>
            <RowIcon name="remove" /> Delete draft
          </Link>
        ) : null}
      </Menu>
    </>
  );
}
