import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "#api/client";
import type { AuditQuery } from "./audit-filter.ts";
import { errorMessage } from "#api/problem";
import { saveFile } from "#lib/save-file";
import { Button } from "#components/button";
import { Menu } from "#components/menu";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

const text = messages.export;
const formats = {
  csv: { label: text.csv, type: "text/csv", file: "audit-events.csv" },
  lines: {
    label: text.jsonLines,
    type: "application/x-ndjson",
    file: "audit-events.jsonl",
  },
};

/** Exports all events that match the filters. */
export function ExportMenu({ query }: { query: AuditQuery }): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: async (format: keyof typeof formats) => {
      const { type, file } = formats[format];
      const response = await api.fetch("GET /audit-events", { query, headers: { accept: type } });
      const exported = await response.blob();
      // Without a byte order mark, Excel does not read CSV as UTF-8.
      saveFile(format === "csv" ? new Blob(["\uFEFF", exported], { type }) : exported, file);
      return file;
    },
    onSuccess: (file) => showToast(text.saved(file)),
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <Menu
      label={text.action}
      trigger={
        <Button isPending={isPending}>
          <Download size={16} aria-hidden />
          {isPending ? text.exporting : text.action}
        </Button>
      }
      entries={[
        { id: "csv", label: formats.csv.label, onAction: () => mutate("csv") },
        { id: "lines", label: formats.lines.label, onAction: () => mutate("lines") },
      ]}
    />
  );
}
