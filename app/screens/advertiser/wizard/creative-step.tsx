import { useSubmit } from "@remix-run/react";
import { ImagePlus } from "lucide-react";
import { adFormatLabels, adFormats } from "#app/domain/campaigns/campaign.ts";
import { CreativeFields } from "#app/screens/shared/campaign-fields/creative-fields.tsx";
import { CreativeChoices } from "#app/screens/shared/creatives/creative-choices.tsx";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import { CreativePreviews } from "#app/screens/shared/creatives/creative-previews.tsx";
import { CreativeUpload } from "#app/screens/shared/creatives/creative-upload.tsx";
import { useChosenCreatives } from "#app/screens/shared/creatives/use-chosen-creatives.ts";
import { type FieldsProps, listOf, textOf } from "#app/ui/form/form-values.ts";
import { formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { FindBox } from "./find-box.tsx";
import type { StepChoices } from "./step-choices.ts";
import { titleOf } from "./steps.ts";

/** Format and creatives on the left, how they look beside them. */
export function CreativeStep({ values, errors, choices }: FieldsProps & { choices: StepChoices }) {
  const { creatives, moreCreatives, findCreative, uploadHref, ad } = choices;
  const saved = { adFormat: textOf(values, "ad_format"), chosen: listOf(values, "creative_ids") };
  const { adFormat, chosen, place, read } = useChosenCreatives(saved, creatives);
  const submit = useSubmit();
  /** What a script has sent is saved with the step at once: products can be chosen then. */
  const choose = (ids: string[]) => {
    const form = place.current?.closest("form");
    if (!form) return;
    const fields = new FormData(form);
    fields.delete(creativeFilesField);
    for (const id of ids) if (!fields.getAll("creative_ids").includes(id)) fields.append("creative_ids", id);
    fields.set("intent", "upload");
    submit(fields, { method: "post", replace: true, preventScrollReset: true });
  };
  const shown = { ...ad, adFormat: adFormats.find((format) => format === adFormat) ?? null };
  return (
    <div className="split" ref={place} onChange={read}>
      <Card
        title={titleOf(2)}
        aside={<span className="hint">{formatNumberOf(chosen.length, "creative")} selected</span>}
      >
        <div className="form-grid">
          <CreativeFields values={values} errors={errors} />
          <CreativeUpload to={uploadHref} onUploaded={choose} errors={errors[creativeFilesField]} />
          <CreativeChoices
            creatives={creatives}
            chosen={saved.chosen}
            more={moreCreatives}
            find={{ box: <CreativeFindBox find={findCreative} more={moreCreatives} />, sought: findCreative }}
            errors={errors.creative_ids}
          />
        </div>
      </Card>
      <Card
        title="Preview"
        aside={<span className="hint">{shown.adFormat ? adFormatLabels[shown.adFormat] : "No format chosen"}</span>}
      >
        {chosen.length === 0 ? (
          <EmptyState icon={ImagePlus} title="No creative chosen">
            Upload a picture or a film, or tick one of yours, to see it as people will.
          </EmptyState>
        ) : (
          <CreativePreviews creatives={creatives.filter(({ id }) => chosen.includes(id))} ad={shown} />
        )}
      </Card>
    </div>
  );
}

function CreativeFindBox({ find, more }: { find?: string; more: boolean }) {
  const hint = more ? "Only the newest 60 are listed. Search for the others." : undefined;
  return <FindBox name="find_creative" label="Search creatives by name" find={find} hint={hint} />;
}
