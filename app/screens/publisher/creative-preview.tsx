import { Notice } from "#app/ui/notice.tsx";

/** What people will see, if the campaign has it; `changed` when it is not what was approved. */
export function CreativePreview({ url, name, changed }: { url: string | null; name: string; changed: boolean }) {
  if (!url) return changed ? <Notice tone="warn" title="The creative was removed" /> : null;
  return (
    <figure className="grid content-start gap-1">
      <figcaption className="hint">
        Creative preview{changed ? <strong className="text-accent"> · changed</strong> : null}
      </figcaption>
      <img
        src={url}
        alt={`Creative of ${name}`}
        referrerPolicy="no-referrer"
        className="max-h-60 w-auto max-w-full rounded-[10px] border border-line bg-sunken"
      />
    </figure>
  );
}
