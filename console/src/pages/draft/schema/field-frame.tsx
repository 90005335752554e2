import type { ReactNode } from "react";
import { Checkbox, TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { NameField } from "./name-field.tsx";
import { RowButtons } from "./row-buttons.tsx";

/** What a list of fields tells each of them: where it stands, and how it is moved and removed. */
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
  /** What it means that the field's box is ticked. */
  mark: string;
  isMarked: boolean;
  onMark: (isMarked: boolean) => void;
  description: string;
  onDescribe: (description: string) => void;
  /** What there is besides. */
  children?: ReactNode;
};

/** A field of a schema: what every one has, and what is done with it as a whole. */
export function FieldFrame<Kind extends string>({
  name,
  isNameTaken,
  onRename,
  kinds,
  kind,
  onKind,
  mark,
  isMarked,
  onMark,
  description,
  onDescribe,
  children,
  ...place
}: FieldFrameProps<Kind>): ReactNode {
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-xl border border-line p-3 sm:p-4">
      <legend className="sr-only">Field {name}</legend>
      <div className="flex flex-wrap items-end gap-3">
        <NameField name={name} isTaken={isNameTaken} onRename={onRename} />
        <SelectField label="Kind" choices={kinds} value={kind} onChange={onKind} className="w-40" />
        <Checkbox isSelected={isMarked} onChange={onMark}>
          {mark}
        </Checkbox>
        <RowButtons name={name} {...place} />
      </div>
      <TextField label="Description" value={description} onChange={onDescribe} />
      {children}
    </fieldset>
  );
}
