import type { ReactNode } from "react";
import { formatBytes } from "#lib/format";
import { FileBox } from "./file-box.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.create;
const types = [".json", ".yaml", ".yml", "application/json", "application/yaml"];

/** Chooses the file of a document. */
export function FileField({
  file,
  uploaded,
  onChange,
  ...rest
}: {
  label: string;
  hint: string;
  file: File | undefined;
  /** The fraction that is uploaded. */
  uploaded: number | undefined;
  onChange: (file: File) => void;
  error?: string | undefined;
}): ReactNode {
  return (
    <FileBox
      {...rest}
      types={types}
      action={file === undefined ? messages.chooseFile : messages.replaceFile}
      text={
        uploaded === undefined ? describe(file) : messages.uploading(Math.round(uploaded * 100))
      }
      isEmpty={file === undefined}
      onSelect={([chosen]) => {
        if (chosen !== undefined) onChange(chosen);
      }}
    />
  );
}

function describe(file: File | undefined): string {
  return file === undefined ? messages.noFile : `${file.name} (${formatBytes(file.size)})`;
}
