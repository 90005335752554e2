import type { ReactNode } from "react";
import {
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  Switch as AriaSwitch,
  Text,
  TextArea,
  TextField as AriaTextField,
} from "react-aria-components";
import type { TextFieldProps as AriaTextFieldProps } from "react-aria-components";
import { classes } from "#lib/class-names";
import { inputLook } from "./select-field.tsx";

type FieldProps = Omit<AriaTextFieldProps, "className"> & {
  label: string;
  hint?: ReactNode;
  /** Shown below the field and announced. */
  error?: string | undefined;
  placeholder?: string;
  className?: string;
  /** Makes it a multi-line field. */
  rows?: number;
  isCode?: boolean;
};

/** A text field with its label, hint and error. */
export function TextField({
  label,
  hint,
  error,
  placeholder = "",
  rows,
  isCode,
  className,
  ...rest
}: FieldProps): ReactNode {
  const look = classes(inputLook, isCode === true && "font-mono text-[13px]");
  return (
    <AriaTextField
      {...rest}
      // An explicit `isInvalid: false` would also hide the browser's own validation.
      {...(error === undefined ? {} : { isInvalid: true })}
      // An error from the service must not block submitting the form again.
      validationBehavior={error === undefined ? "native" : "aria"}
      className={classes("grid grid-cols-1 gap-1", className)}
    >
      <Label className="text-sm font-medium">{label}</Label>
      {hint === undefined ? null : (
        <Text slot="description" className="text-sm text-soft">
          {hint}
        </Text>
      )}
      {rows === undefined ? (
        <Input placeholder={placeholder} className={look} />
      ) : (
        <TextArea placeholder={placeholder} rows={rows} className={look} />
      )}
      <FieldError className="text-sm text-bad">{error}</FieldError>
    </AriaTextField>
  );
}

/** A checkbox with its label and hint. */
export function Checkbox({
  children,
  hint,
  ...rest
}: {
  children: ReactNode;
  hint?: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}): ReactNode {
  return (
    <AriaCheckbox
      {...rest}
      className="group flex items-start gap-2.5 py-1 text-sm data-disabled:opacity-55"
    >
      <span
        aria-hidden
        className="mt-0.5 grid size-4.5 shrink-0 place-items-center rounded border border-edge bg-paper text-xs text-on-strong group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-strong group-data-selected:border-strong group-data-selected:bg-strong"
      >
        <span className="invisible group-data-selected:visible">✓</span>
      </span>
      <span>
        {children}
        {hint === undefined ? null : <span className="block text-soft">{hint}</span>}
      </span>
    </AriaCheckbox>
  );
}

/** A switch that takes effect immediately. */
export function Switch({
  children,
  hint,
  ...rest
}: {
  children: ReactNode;
  hint?: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
}): ReactNode {
  return (
    <AriaSwitch
      {...rest}
      className="group flex items-start gap-2.5 text-sm data-disabled:opacity-55"
    >
      <span
        aria-hidden
        className="flex h-5 w-9 shrink-0 items-center rounded-full border border-edge bg-raised px-0.5 transition-colors group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-2 group-data-focus-visible:outline-strong group-data-selected:border-strong group-data-selected:bg-strong"
      >
        <span className="size-3.5 rounded-full bg-edge transition-transform group-data-selected:translate-x-4 group-data-selected:bg-on-strong" />
      </span>
      <span>
        {children}
        {hint === undefined ? null : <span className="block text-soft">{hint}</span>}
      </span>
    </AriaSwitch>
  );
}
