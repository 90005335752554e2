import type { ReactNode } from "react";
import { Dialog } from "#components/dialog";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.shortcuts;
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keyboard shortcuts of the console and of its code editor. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const control = isMac ? "⌘" : "Ctrl";
  const shortcuts: readonly (readonly [string, string])[] = [
    [`${control} K`, messages.palette],
    ["/", messages.search],
    ["↑ ↓", messages.rows],
    [`${control} Enter`, messages.run],
    [`${control} S`, messages.save],
    ["?", messages.sheet],
    ["Ctrl Space", messages.complete],
    [`${control} .`, messages.fix],
    ["F8", messages.problem],
    [`${control} K ${control} I`, messages.explain],
    ["F12", messages.define],
    ["Shift F12", messages.uses],
    ["F2", messages.rename],
    [`${control} F`, messages.find],
    [`${control} /`, messages.comment],
    [isMac ? "⇧ ⌥ F" : "Shift Alt F", messages.format],
  ];
  return (
    <Dialog title={messages.title} isOpen onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 text-sm">
        {shortcuts.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-md border border-edge bg-raised px-1.5 py-0.5 text-xs [font-family:inherit]">
                {keys}
              </kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
