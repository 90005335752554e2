import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { classes } from "#lib/class-names";

export type MenuEntry = {
  id: string;
  label: string;
  icon?: ReactNode;
  isDangerous?: boolean;
  onAction: () => void;
};

/** The distance to the edges of the window in pixels. It is measured with the scrollbar, below which a menu is clipped. */
const containerPadding = 24;

/** A menu of actions. `trigger` is the button that opens it. */
export function Menu({
  trigger,
  entries,
  label,
}: {
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  label: string;
}): ReactNode {
  return (
    <MenuTrigger>
      {trigger}
      <Popover
        placement="bottom end"
        containerPadding={containerPadding}
        className="min-w-48 overflow-auto rounded-lg border border-line bg-paper p-1 shadow-lg"
      >
        <AriaMenu aria-label={label} className="outline-none">
          {entries.map(({ id, label: text, icon, isDangerous, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={text}
              onAction={onAction}
              className={classes(
                "flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-focused:bg-raised",
                isDangerous === true && "text-bad",
              )}
            >
              {icon}
              {text}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
