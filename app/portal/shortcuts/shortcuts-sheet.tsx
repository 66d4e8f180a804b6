import type { OverlayProps } from "#app/portal/topbar/overlay-props.ts";
import { ModalDialog } from "#app/ui/modal-dialog.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { SingleKeysForm } from "./single-keys-form.tsx";

/** The sheet that `?` opens. Without scripting, the help page lists the same. */
export default function ShortcutsSheet({ portal, base, singleKeys, onClose }: OverlayProps) {
  return (
    <ModalDialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="dialog-body">
        <ShortcutList portal={portal} heading="h3" />
        <SingleKeysForm base={base} singleKeys={singleKeys} />
      </div>
    </ModalDialog>
  );
}
