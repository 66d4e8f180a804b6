import { segmentLabels } from "#app/domain/audiences/audience.ts";
import type { ListedAudience } from "#app/domain/audiences/list-audiences.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, listOf } from "#app/ui/form/form-values.ts";
import { formatPeopleRange } from "../reach/format-people-range.ts";

type Choosable = Pick<ListedAudience, "id" | "name" | "segment" | "publishedSize" | "cpmCents"> & {
  publisherName?: string;
  description?: string | null;
};

/** `selected_audiences`, with what one chooses by: whose, who they are, how many, at what price. */
export function AudienceFields({ audiences, values, errors }: FieldsProps & { audiences: readonly Choosable[] }) {
  return (
    <ChoiceField
      type="checkbox"
      look="rows"
      name="selected_audiences"
      label="Audiences"
      required
      options={audiences.map((audience) => ({
        value: audience.id,
        label: audience.name,
        hint: (
          <>
            {[audience.publisherName, segmentLabels[audience.segment]].filter(Boolean).join(" · ")}
            {audience.description ? <span className="line-clamp-2">{audience.description}</span> : null}
          </>
        ),
        figures: figuresOf(audience),
      }))}
      chosen={listOf(values, "selected_audiences")}
      errors={errors.selected_audiences}
    />
  );
}

function figuresOf({ publishedSize, cpmCents }: Choosable) {
  return [
    { value: publishedSize ? formatPeopleRange(publishedSize) : "–", unit: "people" },
    { value: cpmCents === null ? "–" : formatCents(cpmCents), unit: "CPM" },
  ];
}
