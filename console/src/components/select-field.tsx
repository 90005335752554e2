import { Check, ChevronDown } from "lucide-react";
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
      className={classes("ui-field", className)}
    >
      <Label className={isLabelHidden ? "sr-only" : "ui-label"}>{label}</Label>
      <Button className="ui-input flex cursor-pointer items-center justify-between gap-2">
        <SelectValue className="truncate [&_[slot=description]]:hidden [&_svg]:hidden" />
        <ChevronDown size={14} aria-hidden className="shrink-0 text-soft" />
      </Button>
      <Popover className="ui-float max-h-80 min-w-(--trigger-width)">
        <ListBox items={choices} className="outline-none">
          {(choice) => (
            <ListBoxItem id={choice.id} textValue={choice.label} className="ui-item group">
              <span className="min-w-0 flex-1">
                <Text slot="label">{choice.label}</Text>
                {choice.hint === undefined ? null : (
                  <Text slot="description" className="ui-help block">
                    {choice.hint}
                  </Text>
                )}
              </span>
              <Check
                size={14}
                aria-hidden
                className="invisible shrink-0 text-soft group-data-selected:visible"
              />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
