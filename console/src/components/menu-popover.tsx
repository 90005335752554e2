import { Check } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { useRef } from "react";
import {
  Menu as AriaMenu,
  MenuItem,
  OverlayTriggerStateContext,
  Popover,
  RootMenuTriggerStateContext,
} from "react-aria-components";
import { useMenuTriggerState } from "react-stately/useMenuTriggerState";
import { classes } from "#lib/class-names";
import { Name } from "./name.tsx";

export type MenuEntry = {
  id: string;
  label: string;
  hint?: string;
  icon?: ReactNode;
  isDangerous?: boolean;
  onAction: () => void;
};

export type MenuPlacement = "bottom start" | "bottom end" | "top start";

/** The entry that has the focus at first; true is the selected one, if any. */
export type MenuFocus = true | "first" | "last";

/** The distance to the edges of the window in pixels. It is measured with the scrollbar, below which a menu is clipped. */
const containerPadding = 24;

/** The opened part of a menu, which is loaded on demand. */
export function MenuPopover({
  menuId,
  isOpen,
  onOpenChange,
  focused,
  triggerRef,
  entries,
  label,
  selectedIds,
  isMultiple,
  placement,
}: {
  menuId: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  focused: MenuFocus;
  triggerRef: RefObject<HTMLButtonElement | null>;
  entries: readonly MenuEntry[];
  label: string;
  selectedIds: readonly string[] | undefined;
  isMultiple: boolean;
  placement: MenuPlacement;
}): ReactNode {
  const scrollRef = useRef<HTMLDivElement>(null);
  const state = useMenuTriggerState({ isOpen, onOpenChange });
  return (
    <OverlayTriggerStateContext value={state}>
      <RootMenuTriggerStateContext value={state}>
        <Popover
          trigger="MenuTrigger"
          triggerRef={triggerRef}
          scrollRef={scrollRef}
          placement={placement}
          containerPadding={containerPadding}
          aria-label={label}
          className="ui-float min-w-[max(12rem,var(--trigger-width))]"
        >
          <AriaMenu
            id={menuId}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- An opened menu gets the focus.
            autoFocus={focused}
            onClose={() => state.close()}
            ref={scrollRef}
            aria-label={label}
            className="outline-none"
            {...(selectedIds === undefined
              ? {}
              : {
                  selectionMode: isMultiple ? "multiple" : "single",
                  selectedKeys: [...selectedIds],
                  disallowEmptySelection: !isMultiple,
                })}
          >
            {entries.map(({ id, label: text, hint, icon, isDangerous, onAction }) => (
              <MenuItem
                key={id}
                id={id}
                textValue={text}
                onAction={onAction}
                className={classes("ui-item", isDangerous === true && "danger")}
              >
                {icon}
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <Name>{text}</Name>
                  {hint === undefined ? null : <span className="ui-help block">{hint}</span>}
                </span>
                {selectedIds?.includes(id) === true ? (
                  <Check size={14} aria-hidden className="shrink-0 text-soft" />
                ) : null}
              </MenuItem>
            ))}
          </AriaMenu>
        </Popover>
      </RootMenuTriggerStateContext>
    </OverlayTriggerStateContext>
  );
}
