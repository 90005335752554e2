import type { CurlRequest, Method } from "./curl-request.ts";
import { urlOf } from "./find-fields.ts";
import type { FoundFields } from "./find-fields.ts";
import { singularOf } from "./find-in-path.ts";

const maxLength = 80;

/** Last words of a path that say what the request does: `POST /orders/{orderId}/refund`. */
const actions =
  /^(?:activate|add|analyze|answer|approve|archive|assign|attach|authorize|block|build|cancel|capture|charge|check|clear|clone|close|complete|confirm|convert|copy|count|deactivate|delete|deploy|detach|disable|duplicate|enable|execute|export|extract|finalize|generate|import|invite|join|leave|lock|lookup|merge|move|notify|open|parse|pause|pay|ping|predict|preview|process|publish|query|rebuild|refresh|refund|register|reject|release|reload|remove|rename|render|reopen|reset|resend|resolve|restart|restore|resume|retry|revoke|rotate|run|search|send|set|share|start|stop|submit|subscribe|suspend|sync|transfer|translate|trigger|unarchive|unlock|unsubscribe|update|upload|validate|verify|void)$/;

const verbs: Readonly<Record<Method, string>> = {
  GET: "Get",
  HEAD: "Check",
  POST: "Create",
  PUT: "Update",
  PATCH: "Update",
  DELETE: "Delete",
};

type Part = { words: string[]; isInput: boolean };

/** A title that says what the request does: "Get user" for `GET /v1/users/{userId}`, "Refund order" for `POST /orders/{orderId}/refund`. */
export function titleOf({ method }: CurlRequest, found: FoundFields): string {
  const parts = partsOf(urlOf(found).slice(found.origin.length));
  const names = parts.filter(({ isInput }) => !isInput);
  const last = names.at(-1)?.words ?? [];
  const [first = ""] = last;
  const parent = names.at(-2)?.words ?? [];
  if (last.length === 0) return toTitle([verbOf(method, false), new URL(found.origin).hostname]);
  // `sendMessage` and `POST /orders/{orderId}/refund`, but not `GET /runs/{runId}`.
  const isAction =
    actions.test(first) && (last.length > 1 || method === "POST" || method === "PUT");
  const endsWithInput = parts.at(-1)?.isInput === true;
  if (isAction && !endsWithInput) {
    return last.length > 1 ? toTitle(last) : toTitle([first, ...singular(parent)]);
  }
  const isList = method === "GET" && !endsWithInput && isPlural(last);
  const subject = isList ? last : singular(last);
  const owner = isPartOfName(parts) ? singular(parent) : [];
  return toTitle([verbOf(method, isList), ...owner, ...subject]);
}

function verbOf(method: Method, isList: boolean): string {
  return isList ? "List" : verbs[method];
}

function partsOf(path: string): Part[] {
  return path
    .split("/")
    .map((segment) => segment.replace(/\.(?:json|xml)$/, ""))
    .filter((segment) => !/^(?:v\d.*|api|rest|)$/i.test(segment))
    .flatMap((segment): Part[] => {
      if (/^\{.*\}$/.test(segment)) return [{ words: [], isInput: true }];
      if (!/^[a-z][\w.-]*$/i.test(segment)) return [];
      const words = segment
        .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
        .toLowerCase()
        .split(/[ ._-]+/);
      return [{ words: words.filter((word) => word !== ""), isInput: false }];
    });
}

/** Whether the last name is one with the name before it: `/users/{userId}/posts`, `/chat/completions`, but not `/repos/o/issues`. */
function isPartOfName(parts: readonly Part[]): boolean {
  const at = parts.findLastIndex(({ isInput }) => !isInput);
  const before = parts[at - 1];
  if (before?.isInput === true) return parts[at - 2]?.isInput === false;
  return before !== undefined && !isPlural(before.words) && before.words.join("").length >= minName;
}

const minName = 3;

function singular(words: readonly string[]): string[] {
  return words.map((word, at) => (at === words.length - 1 ? singularOf(word) : word));
}

function isPlural(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  return singularOf(last) !== last;
}

function toTitle(words: readonly string[]): string {
  const text = words.join(" ");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`.slice(0, maxLength);
}
