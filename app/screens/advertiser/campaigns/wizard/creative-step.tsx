import { useSubmit } from "@remix-run/react";
import { useContext } from "react";
import { adFormatLabels, adFormats } from "#app/domain/campaigns/campaign.ts";
import { CreativeFields } from "#app/screens/shared/campaigns/fields/creative-fields.tsx";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import { CreativePicker } from "#app/screens/shared/creatives/creative-picker.tsx";
import { CreativePreviews } from "#app/screens/shared/creatives/creative-previews.tsx";
import { CreativeUpload } from "#app/screens/shared/creatives/creative-upload.tsx";
import { useSelectedCreatives } from "#app/screens/shared/creatives/use-selected-creatives.ts";
import { type FieldsProps, fieldText, fieldValues } from "#app/ui/form/form-values.ts";
import { pluralize } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { NoteChangeContext } from "./note-change.ts";
import { StepProductFields } from "./product-fields.tsx";
import { SearchField } from "./search-field.tsx";
import type { StepOptions } from "./step-options.ts";
import { stepTitle } from "./steps.ts";

/** The format and the creatives, then the products. */
export function CreativeStep(props: FieldsProps & { choices: StepOptions }) {
  return (
    <>
      <FormatAndCreatives {...props} />
      <StepProductFields {...props} />
    </>
  );
}

/** Format and creatives on the left, the preview beside them. */
function FormatAndCreatives({ values, errors, choices }: FieldsProps & { choices: StepOptions }) {
  const { creatives, moreCreatives, findCreative, uploadHref, ad } = choices;
  const saved = { adFormat: fieldText(values, "ad_format"), chosen: fieldValues(values, "creative_ids") };
  const { adFormat, chosen, place, sync } = useSelectedCreatives(saved, creatives);
  const submit = useSubmit();
  const noteChange = useContext(NoteChangeContext);
  /** Files uploaded by script are saved with the step at once, so that products can be selected. */
  const choose = (ids: string[]) => {
    const form = place.current?.closest("form");
    if (!form) return;
    // Otherwise a save that was sent before would undo the selection if it arrived later.
    noteChange("creative_ids");
    const fields = new FormData(form);
    fields.delete(creativeFilesField);
    for (const id of ids) if (!fields.getAll("creative_ids").includes(id)) fields.append("creative_ids", id);
    fields.set("intent", "upload");
    submit(fields, { method: "post", replace: true, preventScrollReset: true });
  };
  const shown = { ...ad, adFormat: adFormats.find((format) => format === adFormat) ?? null };
  return (
    <div className="main-and-aside" ref={place} onChange={sync}>
      <Card title={stepTitle(2)} aside={<span className="hint">{pluralize(chosen.length, "creative")} selected</span>}>
        <div className="form-grid">
          <CreativeFields values={values} errors={errors} />
          <CreativeUpload to={uploadHref} onUploaded={choose} listed={creatives} errors={errors[creativeFilesField]} />
          <CreativePicker
            creatives={creatives}
            chosen={saved.chosen}
            more={moreCreatives}
            find={{ box: <CreativeFindBox find={findCreative} more={moreCreatives} />, appliedSearch: findCreative }}
            errors={errors.creative_ids}
          />
        </div>
      </Card>
      <Card
        title="Preview"
        aside={<span className="hint">{shown.adFormat ? adFormatLabels[shown.adFormat] : "No format selected"}</span>}
      >
        {chosen.length === 0 ? (
          <EmptyState icon="image-plus" title="No creative selected">
            Upload an image or video, or select one of your creatives, to preview the ad.
          </EmptyState>
        ) : (
          <CreativePreviews creatives={creatives.filter(({ id }) => chosen.includes(id))} ad={shown} />
        )}
      </Card>
    </div>
  );
}

function CreativeFindBox({ find, more }: { find?: string; more: boolean }) {
  const hint = more ? "Showing the newest 60. Use search to find others." : undefined;
  return <SearchField name="find_creative" label="Search creatives by name" find={find} hint={hint} />;
}
