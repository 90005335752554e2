import type { PointedProblem } from "@toolhost/tool-schema";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { button, h } from "../dom.ts";
import { formatTime } from "../time.ts";
import { createForm } from "../form/create-form.ts";
import { isSubmitKey } from "../form/submit-key.ts";
import * as messages from "./messages.ts";
import type { QuestionView } from "./run-host.ts";
import type { RunQuestion } from "./run-state.ts";

/** The answer to the question of a run. */
export type RunAnswer =
  | { questionId: string; action: "accept"; content: JsonObject }
  | { questionId: string; action: "decline" };

/** Answers a question. Resolves to problems of its fields, if there are any; if it rejects, the user can answer again. */
export type AnswerQuestion = (
  runId: string,
  answer: RunAnswer,
) => Promise<readonly PointedProblem[] | undefined>;

/**
 * Creates the place for the questions of a running tool. All of their texts are untrusted. Without `answer`, they are only shown.
 * `toolTitle` is the title of the tool that asks, if it is known.
 */
export function createQuestionView(
  answer: AnswerQuestion | undefined,
  toolTitle?: string,
): QuestionView {
  const label = messages.questionLabel(toolTitle);
  const element = h("div", { hidden: true });
  let shown: string | undefined;
  return {
    element,
    update: (runId, question) => {
      if (question?.id === shown) return;
      shown = question?.id;
      element.hidden = question === undefined;
      const content =
        question === undefined || runId === undefined
          ? []
          : answer === undefined
            ? [createMessage(question, label), h("p", { class: "muted" }, messages.awaitsAnswer)]
            : [createAnswerForm(question, label, (given) => answer(runId, given))];
      element.replaceChildren(...content);
    },
  };
}

function createMessage({ message, expiresAt }: RunQuestion, label: string): HTMLElement {
  const until = expiresAt === undefined ? undefined : formatDeadline(expiresAt);
  return h(
    "div",
    { role: "status" },
    h("p", { class: "status" }, h("strong", {}, label)),
    h("p", { class: "text" }, message.slice(0, 4_000)),
    until === undefined ? undefined : h("p", { class: "muted" }, messages.answerUntil(until)),
  );
}

/** The time of day: a question is open for minutes. */
function formatDeadline(time: string): string | undefined {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return undefined;
  return formatTime(date, "minute");
}

type Send = (answer: RunAnswer) => ReturnType<AnswerQuestion>;

function createAnswerForm(question: RunQuestion, label: string, send: Send): HTMLElement {
  const { id: questionId, schema } = question;
  const form = createForm({ inputSchema: schema, fileFields: [], input: {}, host: {} });
  const hasFields = Object.keys((schema["properties"] ?? {}) as JsonObject).length > 0;
  let isSending = false;
  const buttons: HTMLElement[] = [];
  // `disabled` would remove the focus from the button.
  const mark = (isBusy: boolean) => {
    isSending = isBusy;
    for (const each of buttons) each.setAttribute("aria-disabled", String(isBusy));
  };
  const reply = (answer: RunAnswer) => {
    mark(true);
    Promise.resolve(send(answer)).then(
      (problems) => {
        if (problems === undefined) return;
        mark(false);
        form.showProblems(problems);
      },
      () => mark(false),
    );
  };
  const submit = () => {
    if (isSending) return;
    const content = form.submit();
    if (content !== undefined) reply({ questionId, action: "accept", content });
  };
  const decline = () => {
    if (!isSending) reply({ questionId, action: "decline" });
  };
  buttons.push(
    button(messages.answer, submit, { class: "primary" }),
    button(messages.decline, decline),
  );
  const element = h("form", { novalidate: true, "aria-label": label });
  element.append(
    createMessage(question, label),
    ...(hasFields ? [form.element] : []),
    h("p", { class: "muted" }, messages.noSecrets),
    h("div", { class: "tools" }, ...buttons),
  );
  element.addEventListener("submit", (event) => event.preventDefault());
  element.addEventListener("keydown", (event) => {
    if (!isSubmitKey(event)) return;
    event.preventDefault();
    submit();
  });
  return element;
}
