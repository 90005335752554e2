import { toVisibleText } from "@toolhost/ui/visible-text";
import { useId } from "react";
import type { ReactNode } from "react";
import { classes } from "#lib/class-names";

export type Choice<Value extends string> = {
  id: Value;
  label: string;
  hint?: string;
  /** The label of the group that lists it. The choices of a group follow each other. */
  group?: string;
};

/** A single-choice select: the browser's own, as in the forms of tools. `ui/src/design` has its look. */
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
  const id = useId();
  const hint = isLabelHidden ? undefined : choices.find((choice) => choice.id === value)?.hint;
  return (
    <div className={classes("ui-field", className)}>
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "ui-label"}>
        {label}
      </label>
      <span className="ui-select">
        <select
          id={id}
          className="ui-input"
          value={value}
          disabled={isDisabled}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={({ target }) => {
            const choice = choices.find((one) => one.id === target.value);
            if (choice !== undefined) onChange(choice.id);
          }}
        >
          {[...Map.groupBy(choices, ({ group }) => group)].map(([group, grouped]) => {
            const options = grouped.map((choice) => (
              <option key={choice.id} value={choice.id} data-hint={choice.hint}>
                {toVisibleText(choice.label)}
              </option>
            ));
            return group === undefined ? (
              options
            ) : (
              <optgroup key={group} label={group}>
                {options}
              </optgroup>
            );
          })}
        </select>
      </span>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="ui-help">
          {hint}
        </p>
      )}
    </div>
  );
}
