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

const forms = {
  csv: { label: "CSV, for spreadsheets", type: "text/csv", file: "audit-events.csv" },
  lines: {
    label: "JSON lines, for programs",
    type: "application/x-ndjson",
    file: "audit-events.jsonl",
  },
};

/** Saves all events that match the filters as a file. */
export function ExportMenu({ query }: { query: AuditQuery }): ReactNode {
  const { mutate, isPending } = useMutation({
    mutationFn: async (form: keyof typeof forms) => {
      const { type, file } = forms[form];
      const answer = await api.fetch("GET /audit-events", { query, headers: { accept: type } });
      saveFile(await answer.blob(), file);
      return file;
    },
    onSuccess: (file) => showToast(`${file} is saved`),
    onError: (error) => showToast(errorMessage(error), "bad"),
  });
  return (
    <Menu
      label="Export"
      trigger={
        <Button isPending={isPending}>
          <Download size={16} aria-hidden />
          {isPending ? "Exporting…" : "Export"}
        </Button>
      }
      entries={[
        { id: "csv", label: forms.csv.label, onAction: () => mutate("csv") },
        { id: "lines", label: forms.lines.label, onAction: () => mutate("lines") },
      ]}
    />
  );
}
