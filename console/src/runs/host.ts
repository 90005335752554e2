import type { AnswerQuestionInput } from "@toolhost/contract";
import type { RunAnswer, RunHost } from "@toolhost/ui";
import { styles } from "@toolhost/ui";
import { useEffect } from "react";
import { api } from "#api/client";
import { ApiProblem, errorMessage } from "#api/problem";
import { showToast } from "#components/toasts";
import { copyText } from "#lib/copy-text";
import { saveFile } from "#lib/save-file";
import { loadImage, openLink } from "./files.ts";
import { messages } from "./messages.ts";

let areStylesAdded = false;

/** Adds the styles of forms and results to the page, once. */
export function useToolStyles(): void {
  useEffect(() => {
    if (areStylesAdded) return;
    areStylesAdded = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets.push(sheet);
  }, []);
}

/** Lets results load files, open links, copy and download. */
export const resultHost: Pick<RunHost, "loadImage" | "openLink" | "copy" | "save"> = {
  loadImage,
  openLink,
  copy: (text) => {
    copyText(text).then(
      () => showToast(messages.copied),
      (error: unknown) => showToast(errorMessage(error), "bad"),
    );
  },
  save: ({ name, type, text }) => saveFile(new Blob([text], { type }), name),
};

/** Cancels a run. Shows an error in a toast and rethrows it. */
export async function cancelRun(runId: string): Promise<void> {
  try {
    await api.send("POST /runs/{runId}/cancel", { params: { runId } });
  } catch (error) {
    showToast(errorMessage(error), "bad");
    throw error;
  }
}

/** Answers the question of a run. Shows an error in a toast and rethrows it, unless it is about fields of the answer. */
export async function answerQuestion(runId: string, answer: RunAnswer) {
  try {
    // A flat form has no other values.
    const body = answer as AnswerQuestionInput;
    await api.send("POST /runs/{runId}/answers", { params: { runId }, body });
    return undefined;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "invalid_input") return error.errors;
    showToast(errorMessage(error), "bad");
    throw error;
  }
}
