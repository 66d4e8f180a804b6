import { useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { CreativeChoices } from "#app/screens/shared/creatives/creative-choices.tsx";
import { creativeFilesField } from "#app/screens/shared/creatives/creative-files-field.ts";
import { CreativeUpload } from "#app/screens/shared/creatives/creative-upload.tsx";
import type { ShownCreative } from "#app/screens/shared/creatives/creative-words.ts";
import { type FieldsProps, listOf } from "#app/ui/form/form-values.ts";

export type OwnCreatives = { creatives: readonly ShownCreative[]; moreCreatives: boolean; uploadHref: string };

/** The publisher's creatives: what it uploads here is ticked, and kept for its other campaigns. */
export function OwnCreativeFields({
  values,
  errors,
  creatives,
  moreCreatives,
  uploadHref,
}: FieldsProps & OwnCreatives) {
  const { revalidate } = useRevalidator();
  const [uploaded, setUploaded] = useState<readonly string[]>([]);
  return (
    <>
      <CreativeUpload
        to={uploadHref}
        errors={errors[creativeFilesField]}
        onUploaded={(ids) => {
          setUploaded((before) => [...before, ...ids]);
          revalidate();
        }}
      />
      <CreativeChoices
        creatives={creatives}
        chosen={[...listOf(values, "creative_ids"), ...uploaded]}
        more={moreCreatives}
        errors={errors.creative_ids}
      />
    </>
  );
}
