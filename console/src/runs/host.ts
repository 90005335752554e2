import type { RunHost } from "@toolhost/ui";
import { styles } from "@toolhost/ui";
import { useEffect } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";
import { copyText } from "#lib/copy-text";
import { saveFile } from "#lib/save-file";
import { loadImage, openLink } from "./files.ts";

let areStylesThere = false;

/** Adds the look of tools' forms and results to the page, once. */
export function useToolStyles(): void {
  useEffect(() => {
    if (areStylesThere) return;
    areStylesThere = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets.push(sheet);
  }, []);
}

/** How results reach files and addresses here, and leave the page. */
export const resultHost: Pick<RunHost, "loadImage" | "openLink" | "copy" | "save"> = {
  loadImage,
  openLink,
  copy: (text) => {
    copyText(text).then(
      () => showToast("Copied."),
      (error: unknown) => showToast(errorMessage(error), "bad"),
    );
  },
  save: ({ name, type, text }) => saveFile(new Blob([text], { type }), name),
};

/** Asks for the end of a run; what is in the way is told in a corner, and thrown. */
export async function cancelRun(runId: string): Promise<void> {
  try {
    await api.send("POST /runs/{runId}/cancel", { params: { runId } });
  } catch (error) {
    showToast(errorMessage(error), "bad");
    throw error;
  }
}
