import { FileUp, FolderUp } from "lucide-react";
import type { ReactNode } from "react";
import { useId } from "react";
import { DropZone } from "react-aria-components";
import { FileButton } from "#components/file-button";
import { classes } from "#lib/class-names";

type Props = {
  label: string;
  hint: string;
  /** The label of the button. */
  action: string;
  /** What is chosen. */
  text: string;
  isEmpty: boolean;
  isFolder?: boolean;
  /** The label of a second button, which chooses a compressed archive instead of a folder. */
  archive?: string;
  /** Of files. */
  types?: readonly string[];
  error?: string | undefined;
  onSelect: (files: File[]) => void;
};

/** Chooses a file or a folder, in the look of a text field. */
export function FileBox(props: Props): ReactNode {
  const {
    label,
    hint,
    action,
    text,
    isEmpty,
    isFolder = false,
    archive,
    types,
    error,
    onSelect,
  } = props;
  const id = useId();
  const Icon = isFolder ? FolderUp : FileUp;
  return (
    <div role="group" aria-labelledby={id} className="grid gap-1">
      <span id={id} className="text-sm font-medium">
        {label}
      </span>
      <p className="text-sm text-soft">{hint}</p>
      <DropZone
        onDrop={({ items }) => {
          const dropped = items.filter((item) => item.kind === "file");
          if (dropped.length === 0) return;
          void Promise.all(dropped.map((item) => item.getFile())).then(onSelect);
        }}
        className={classes(
          "data-[drop-target]:border-accent flex min-h-9 flex-wrap items-center gap-3 rounded-lg border bg-paper p-1 pl-3",
          error === undefined ? "border-edge" : "border-bad",
        )}
      >
        <span
          role="status"
          className={classes("min-w-0 flex-1 text-sm wrap-anywhere", isEmpty && "text-soft")}
        >
          {text}
        </span>
        <FileButton
          look="quiet"
          className="border border-line"
          isFolder={isFolder}
          types={types}
          onSelect={onSelect}
        >
          <Icon size={16} aria-hidden />
          {action}
        </FileButton>
        {archive === undefined ? null : (
          <FileButton
            look="quiet"
            className="border border-line"
            types={[".gz", ".tgz"]}
            onSelect={onSelect}
          >
            <FileUp size={16} aria-hidden />
            {archive}
          </FileButton>
        )}
      </DropZone>
      {error === undefined ? null : (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
