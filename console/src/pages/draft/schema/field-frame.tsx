import type { ReactNode } from "react";
import { Checkbox, TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { messages as allMessages } from "./messages.ts";
import { NameField } from "./name-field.tsx";
import { RowButtons } from "./row-buttons.tsx";

const messages = allMessages.fields;

/** The position of a field in its list, and how it is moved and removed. */
export type FieldPosition = {
  isFirst: boolean;
  isLast: boolean;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

type FieldFrameProps<Kind extends string> = FieldPosition & {
  name: string;
  isNameTaken: (name: string) => boolean;
  onRename: (name: string) => void;
  kinds: readonly { id: Kind; label: string }[];
  kind: Kind;
  onKind: (kind: Kind) => void;
  /** The label of the checkbox. */
  checkboxLabel: string;
  isChecked: boolean;
  onCheck: (isChecked: boolean) => void;
  description: string;
  onDescribe: (description: string) => void;
  /** Further settings of the field. */
  children?: ReactNode;
};

/** The frame of a schema field: the settings that every field has, and its buttons. */
export function FieldFrame<Kind extends string>({
  name,
  isNameTaken,
  onRename,
  kinds,
  kind,
  onKind,
  checkboxLabel,
  isChecked,
  onCheck,
  description,
  onDescribe,
  children,
  ...position
}: FieldFrameProps<Kind>): ReactNode {
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-xl border border-line p-3 sm:p-4">
      <legend className="sr-only">{messages.legend(name)}</legend>
      <div className="flex flex-wrap items-end gap-3">
        <NameField name={name} isTaken={isNameTaken} onRename={onRename} />
        <SelectField
          label={messages.type}
          choices={kinds}
          value={kind}
          onChange={onKind}
          className="w-40"
        />
        <Checkbox isSelected={isChecked} onChange={onCheck}>
          {checkboxLabel}
        </Checkbox>
        <RowButtons name={name} {...position} />
      </div>
      <TextField label={messages.description} value={description} onChange={onDescribe} />
      {children}
    </fieldset>
  );
}
