import type { ReactNode } from "react";
import { segmentLabels } from "#app/domain/audiences/audience.ts";
import type { ListedAudience } from "#app/domain/audiences/list-audiences.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, fieldValues } from "#app/ui/form/form-values.ts";
import { formatPeopleRange } from "../reach/format-people-range.ts";

type Choosable = Pick<ListedAudience, "id" | "name" | "segment" | "publishedSize" | "cpmCents"> & {
  publisherName?: string;
  description?: string | null;
};

/** The field `selected_audiences`, with publisher, segment, size and price of each audience. */
export function AudienceFields({ audiences, values, errors }: FieldsProps & { audiences: readonly Choosable[] }) {
  return (
    <ChoiceField
      type="checkbox"
      variant="rows"
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
      selected={fieldValues(values, "selected_audiences")}
      errors={errors.selected_audiences}
    />
  );
}

/**
 * Stands in for the field while there are no audiences to choose: its errors, and the checklist, lead to the reason.
 */
export function NoAudiences({ children }: { children: ReactNode }) {
  return (
    <div id="selected_audiences" tabIndex={-1}>
      {children}
    </div>
  );
}

function figuresOf({ publishedSize, cpmCents }: Choosable) {
  return [
    { value: publishedSize ? formatPeopleRange(publishedSize) : "–", unit: "people" },
    { value: cpmCents === null ? "–" : formatCents(cpmCents), unit: "CPM" },
  ];
}
