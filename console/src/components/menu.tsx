import type { KeyboardEvent, ReactNode } from "react";
import { lazy, useId, useRef, useState } from "react";
import { loadChunk } from "#lib/load-chunk";
import { TriggerContext } from "./button.tsx";
import { LazyPart } from "./lazy-part.tsx";
import type { MenuEntry, MenuFocus, MenuPlacement } from "./menu-popover.tsx";

export type { MenuEntry } from "./menu-popover.tsx";

const load = () => loadChunk(() => import("./menu-popover.tsx"));
const MenuPopover = lazy(async () => ({ default: (await load()).MenuPopover }));

/** Loads the code of menus ahead of their first use. */
export function preloadMenus(): void {
  // A menu that is opened reports that its code cannot be loaded.
  load().catch(() => undefined);
}

/**
 * A menu of actions, or of choices if one is selected. `trigger` is the button that opens it. The code of the popover loads when
 * the pointer or the focus reaches the first button.
 */
export function Menu({
  trigger,
  entries,
  label,
  selectedId,
  selectedIds,
  placement = "bottom end",
}: {
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  label: string;
  /** The selected entry of a menu of choices. */
  selectedId?: string;
  /** The selected entries of a menu of switches, which stays open. */
  selectedIds?: readonly string[];
  placement?: MenuPlacement;
}): ReactNode {
  const ref = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [focused, setFocused] = useState<MenuFocus>(true);
  // The popover stays mounted afterwards for its closing animation.
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  const openByKey = (event: KeyboardEvent) => {
    if (!["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    setFocused(event.key === "ArrowUp" ? "last" : "first");
    setOpen(true);
  };
  return (
    <>
      <TriggerContext
        value={{
          ref,
          "aria-haspopup": "menu",
          "aria-expanded": isOpen,
          "aria-controls": isOpen ? id : undefined,
          onPress: () => {
            setFocused(true);
            setOpen(!isOpen);
          },
          onKeyDown: openByKey,
          onPointerEnter: preloadMenus,
          onFocus: preloadMenus,
        }}
      >
        {trigger}
      </TriggerContext>
      {wasOpened ? (
        <LazyPart lines={0}>
          <MenuPopover
            menuId={id}
            isOpen={isOpen}
            onOpenChange={setOpen}
            focused={focused}
            triggerRef={ref}
            entries={entries}
            label={label}
            selectedIds={selectedId === undefined ? selectedIds : [selectedId]}
            isMultiple={selectedIds !== undefined}
            placement={placement}
          />
        </LazyPart>
      ) : null}
    </>
  );
}
