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
  const look = classes("ui-input", isCode === true && "code");
  return (
    <AriaTextField
      {...rest}
      // An explicit `isInvalid: false` would also hide the browser's own validation.
      {...(error === undefined ? {} : { isInvalid: true })}
      // An error from the service must not block submitting the form again.
      validationBehavior={error === undefined ? "native" : "aria"}
      className={classes("ui-field", className)}
    >
      <Label className={classes("ui-label", rest.isRequired === true && "required")}>{label}</Label>
      {rows === undefined ? (
        <Input placeholder={placeholder} className={look} />
      ) : (
        <TextArea placeholder={placeholder} rows={rows} className={look} />
      )}
      {hint === undefined ? null : (
        <Text slot="description" className="ui-help">
          {hint}
        </Text>
      )}
      <FieldError className="ui-error">{error}</FieldError>
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
    <AriaCheckbox {...rest} className="ui-choice">
      <span aria-hidden className="ui-mark" />
      <ChoiceText hint={hint}>{children}</ChoiceText>
    </AriaCheckbox>
  );
}

function ChoiceText({
  children,
  hint,
}: {
  children: ReactNode;
  hint: string | undefined;
}): ReactNode {
  return (
    <span className="min-w-0">
      {children}
      {hint === undefined ? null : <span className="ui-help block">{hint}</span>}
    </span>
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
    <AriaSwitch {...rest} className="ui-choice">
      <span aria-hidden className="ui-switch" />
      <ChoiceText hint={hint}>{children}</ChoiceText>
    </AriaSwitch>
  );
}
