import { textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { capitalize, toLine, toPhrase } from "./text.ts";

const maxTitle = 80;
/** A summary that is longer is a description. */
const maxSummary = 60;
const maxWords = 8;
const maxPhraseWords = 10;

/** Words with which names of operations start. */
const verbs = new Set(
  (
    "accept activate add allow answer apply approve archive assign associate attach authenticate authorize ban batch block " +
    "book buy bulk calculate call cancel capture change charge check claim clear clone close compare complete compute " +
    "confirm connect convert copy count create deactivate decline delete deny deploy dequeue describe detach disable " +
    "disconnect dismiss dispatch download duplicate edit enable end estimate evaluate evict exchange execute export " +
    "extract fetch find finish follow force fork generate get grant hide import initialize initiate insert install " +
    "invalidate invite invoke issue join kick leave link list load lock log lookup make manage mark merge migrate modify move " +
    "mute open patch pause pay perform pin ping poll post predict preview process provision publish purge push put query " +
    "queue read rebase receive record redeem refresh refund register reject release remove rename render renew reopen reorder " +
    "replace reply request rerun resend reset resize resolve restart restore resume retrieve retry return revert review " +
    "revoke rotate run save schedule search select send set share show sign simulate split star start stop store stream " +
    "submit subscribe suspend swap switch sync synchronize tag terminate test transcribe transfer transform translate " +
    "trigger unarchive unassign unban unblock undo unfollow uninstall unlink unlock unmute unpin unpublish unregister unstar " +
    "unsubscribe unsuspend update upgrade upload upsert use validate verify view void vote watch withdraw write"
  ).split(" "),
);

/**
 * What an operation does, as a phrase without a full stop: its summary if that is a short instruction, otherwise its
 * `operationId` if that is readable. Summaries of many documents are sentences or praise.
 */
export function titleOf(operation: JsonObject, key: string): string {
  const text = textAt(operation, "summary")?.replaceAll(/[\p{Extended_Pictographic}\uFE0F]/gu, "");
  const summary = capitalize(toLine(text, maxTitle).replace(/[.…]+$/u, ""));
  const written = (textAt(operation, "operationId") ?? "").slice(0, 200);
  const phrase = toPhrase(written.replace(/Using(?:GET|HEAD|POST|PUT|PATCH|DELETE)(?:_\d+)?$/, ""));
  const candidates = [
    isInstruction(summary) && summary.length <= maxSummary && countWords(summary) <= maxWords
      ? summary
      : "",
    isInstruction(phrase) && countWords(phrase) <= maxPhraseWords ? phrase : "",
    isWhole(text, summary) ? summary : "",
    isReadable(phrase) ? phrase : "",
    summary.includes("!") ? "" : summary,
    key,
  ];
  return toLine(
    candidates.find((candidate) => candidate !== ""),
    maxTitle,
  );
}

/** Words that do not say what an operation is about. */
const fillers = new Set(
  "a all an by detail details existing id info it item items list many me multiple my new one resource single the".split(
    " ",
  ),
);

/** The title, with what it is about in parentheses if it is a verb alone, such as "List" or "Get one". */
export function qualifyTitle(title: string, subject: string): string {
  const words = title.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isAmbiguous =
    words.some((word) => verbs.has(word)) &&
    words.every((word) => verbs.has(word) || fillers.has(word));
  if (!isAmbiguous || subject === "") return title;
  const suffix = ` (${subject})`;
  return `${title.slice(0, Math.max(0, maxTitle - suffix.length))}${suffix}`.slice(0, maxTitle);
}

/** Whether it starts with a verb, after marks such as "[Deprecated]". */
function isInstruction(text: string): boolean {
  const [first = ""] = /\p{L}+/u.exec(text.replace(/^[([][^)\]]*[)\]]\s*/u, "")) ?? [];
  return verbs.has(first.toLowerCase()) && countWords(text) > 1 && !/!|[.?:;]\s/u.test(text);
}

/** Whether a summary is one phrase that was not shortened. */
function isWhole(text: string | undefined, summary: string): boolean {
  const isShort = toLine(text, maxTitle) === toLine(text, maxTitle * 2);
  return isShort && !/!|[.?]\s/u.test(summary);
}

function isReadable(phrase: string): boolean {
  return (phrase.match(/\p{L}{3,}/gu)?.length ?? 0) > 1;
}

function countWords(text: string): number {
  return text.split(" ").length;
}
