import { useState } from "react";
import {
  type ChannelType,
  channelLabels,
  channelsByType,
  channelTypeLabels,
  channelTypes,
} from "#app/domain/campaigns/campaign.ts";
import { ChoiceField } from "#app/ui/field.tsx";
import { type FieldsProps, listOf, textOf } from "#app/ui/form/form-values.ts";

const hints: Record<ChannelType, string> = {
  dsp: "Demand-side platforms, across the open web",
  walled_garden: "The large networks with an audience of their own",
};

/**
 * `channel_type` and `channels`. Both lists are in the page, and the style sheet shows the one of the chosen type, so
 * that it needs no script. With one, choosing a type also unticks what was chosen before, as the specification says.
 */
export function ChannelFields({ values, errors }: FieldsProps) {
  const saved = channelTypes.find((type) => type === textOf(values, "channel_type")) ?? "dsp";
  const [resets, setResets] = useState(0);
  const chosen = resets === 0 ? listOf(values, "channels") : [];
  return (
    <div className="channel-fields form-grid">
      <div onChange={() => setResets(resets + 1)}>
        <ChoiceField
          type="radio"
          look="cards"
          name="channel_type"
          label="Channel type"
          options={channelTypes.map((value) => ({ value, label: channelTypeLabels[value], hint: hints[value] }))}
          chosen={[saved]}
          errors={errors.channel_type}
        />
      </div>
      {channelTypes.map((type) => (
        <div key={`${type}${resets}`} data-channels={type}>
          <ChoiceField
            type="checkbox"
            name="channels"
            id={type === saved ? "channels" : `channels-${type}`}
            label={`${channelTypeLabels[type]} channels`}
            required
            columns
            options={channelsByType[type].map((value) => ({ value, label: channelLabels[value] }))}
            chosen={type === saved ? chosen : []}
            errors={type === saved ? errors.channels : undefined}
          />
        </div>
      ))}
    </div>
  );
}
