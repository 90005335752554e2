import { FileUp } from "lucide-react";
import type { ReactNode } from "react";
import { useId } from "react";
import { FileTrigger } from "react-aria-components";
import { Button } from "#components/button";
import { formatBytes } from "#lib/format";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.create;
const types = [".json", ".yaml", ".yml", "application/json", "application/yaml"];

/** Chooses the file of a document. */
export function FileField({
  label,
  hint,
  file,
  uploaded,
  onChange,
}: {
  label: string;
  hint: string;
  file: File | undefined;
  /** The fraction that is uploaded. */
  uploaded: number | undefined;
  onChange: (file: File) => void;
}): ReactNode {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="grid gap-1">
      <span id={id} className="text-sm font-medium">
        {label}
      </span>
      <p className="text-sm text-soft">{hint}</p>
      <div className="flex flex-wrap items-center gap-3">
        <FileTrigger
          acceptedFileTypes={types}
          onSelect={(files) => {
            const chosen = files?.[0];
            if (chosen !== undefined) onChange(chosen);
          }}
        >
          <Button>
            <FileUp size={16} aria-hidden />
            {file === undefined ? messages.chooseFile : messages.replaceFile}
          </Button>
        </FileTrigger>
        <span role="status" className="min-w-0 text-sm wrap-anywhere">
          {uploaded === undefined ? describe(file) : messages.uploading(Math.round(uploaded * 100))}
        </span>
      </div>
    </div>
  );
}

function describe(file: File | undefined): string {
  return file === undefined ? messages.noFile : `${file.name} (${formatBytes(file.size)})`;
}
