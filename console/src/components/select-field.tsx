import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
} from "react-aria-components";
import { classes } from "#lib/class-names";

/** The look of every text input and select. */
export const inputLook =
  "w-full min-h-9 rounded-lg border border-edge bg-paper px-3 py-1.5 text-sm placeholder:text-soft disabled:opacity-55 aria-invalid:border-bad";

export type Choice<Value extends string> = { id: Value; label: string; hint?: string };

/** A single-choice select. */
export function SelectField<Value extends string>({
  label,
  choices,
  value,
  onChange,
  isLabelHidden = false,
  isDisabled = false,
  className,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  isLabelHidden?: boolean;
  isDisabled?: boolean;
  className?: string;
}): ReactNode {
  return (
    <Select
      value={value}
      isDisabled={isDisabled}
      onChange={(key) => {
        const choice = choices.find(({ id }) => id === key);
        if (choice !== undefined) onChange(choice.id);
      }}
      className={classes("grid grid-cols-1 gap-1", className)}
    >
      <Label className={isLabelHidden ? "sr-only" : "text-sm font-medium"}>{label}</Label>
      <Button className={classes(inputLook, "flex items-center justify-between gap-2 text-left")}>
        <SelectValue className="truncate [&_[slot=description]]:hidden" />
        <ChevronDown size={16} aria-hidden className="shrink-0 text-soft" />
      </Button>
      <Popover className="max-h-80 min-w-(--trigger-width) overflow-auto rounded-lg border border-line bg-paper p-1 shadow-lg">
        <ListBox items={choices} className="outline-none">
          {(choice) => (
            <ListBoxItem
              id={choice.id}
              textValue={choice.label}
              className="rounded-md px-2.5 py-1.5 text-sm outline-none data-focused:bg-raised data-selected:font-medium"
            >
              <Text slot="label">{choice.label}</Text>
              {choice.hint === undefined ? null : (
                <Text slot="description" className="block text-xs text-soft">
                  {choice.hint}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
