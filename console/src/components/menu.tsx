import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { classes } from "#lib/class-names";

export type MenuEntry = {
  id: string;
  label: string;
  hint?: string;
  icon?: ReactNode;
  isDangerous?: boolean;
  onAction: () => void;
};

/** The distance to the edges of the window in pixels. It is measured with the scrollbar, below which a menu is clipped. */
const containerPadding = 24;

/** A menu of actions, or of choices if one is selected. `trigger` is the button that opens it. */
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
  placement?: "bottom start" | "bottom end" | "top start";
}): ReactNode {
  return (
    <MenuTrigger>
      {trigger}
      <Popover
        placement={placement}
        containerPadding={containerPadding}
        className="ui-float min-w-[max(12rem,var(--trigger-width))]"
      >
        <AriaMenu
          aria-label={label}
          className="outline-none"
          {...(selectedId === undefined
            ? {}
            : {
                selectionMode: "single",
                selectedKeys: [selectedId],
                disallowEmptySelection: true,
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
                {text}
                {hint === undefined ? null : <span className="ui-help block">{hint}</span>}
              </span>
              {id === selectedId ? (
                <Check size={14} aria-hidden className="shrink-0 text-soft" />
              ) : null}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
