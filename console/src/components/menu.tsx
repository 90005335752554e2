import type { ReactNode } from "react";
import { lazy, useRef, useState } from "react";
import { useMenuTrigger } from "react-aria/useMenu";
import { ButtonContext } from "react-aria-components/Button";
import { useMenuTriggerState } from "react-stately/useMenuTriggerState";
import { loadChunk } from "#lib/load-chunk";
import { LazyPart } from "./lazy-part.tsx";
import type { MenuEntry, MenuPlacement } from "./menu-popover.tsx";

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
  placement = "bottom end",
}: {
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  label: string;
  /** The selected entry of a menu of choices. */
  selectedId?: string;
  placement?: MenuPlacement;
}): ReactNode {
  const state = useMenuTriggerState({});
  const ref = useRef<HTMLButtonElement>(null);
  const { menuTriggerProps, menuProps } = useMenuTrigger<object>({ type: "menu" }, state, ref);
  // The popover stays mounted afterwards for its closing animation.
  const [wasOpened, setOpened] = useState(false);
  if (state.isOpen && !wasOpened) setOpened(true);
  return (
    <>
      <ButtonContext
        value={{
          ...menuTriggerProps,
          ref,
          isPressed: state.isOpen,
          onHoverStart: preloadMenus,
          onFocus: preloadMenus,
        }}
      >
        {trigger}
      </ButtonContext>
      {wasOpened ? (
        <LazyPart lines={0}>
          <MenuPopover
            state={state}
            triggerRef={ref}
            menuProps={menuProps}
            entries={entries}
            label={label}
            selectedId={selectedId}
            placement={placement}
          />
        </LazyPart>
      ) : null}
    </>
  );
}
