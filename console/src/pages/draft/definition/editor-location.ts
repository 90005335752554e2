import type { DraftTab } from "../search.ts";

/** Where a part of a definition is on the page. */
export type Place = { tab: DraftTab; words: string };

const details: Readonly<Record<string, string>> = {
  title: "Title",
  description: "Description",
  visibility: "Who may see and run it",
  timeoutMs: "Time for a run",
  limits: "Limits",
  isolation: "How it runs",
  idempotent: "How it runs",
  confirm: "How it runs",
};
const limits: Readonly<Record<string, string>> = {
  cpuMs: "Computing time",
  memoryMb: "Memory",
  outputBytes: "Output",
  logBytes: "Log",
};
const parts: Readonly<Record<string, Place>> = {
  inputSchema: { tab: "input", words: "Input" },
  fileFields: { tab: "input", words: "Files" },
  outputSchema: { tab: "output", words: "Output" },
  allowedHosts: { tab: "access", words: "Allowed hosts" },
};
const inSource: Readonly<Record<string, Place>> = {
  dependencies: { tab: "access", words: "npm packages" },
  language: { tab: "access", words: "Language" },
};

/** Where on the page one finds what a JSON pointer into a definition names, such as "/limits/cpuMs". */
export function locationOf(pointer: string): Place {
  const [part = "", member = "", field = ""] = pointer.split("/").slice(1);
  const own = parts[part];
  if (part === "credentials") return { tab: "access", words: ordinal("Credential", member, field) };
  if (part === "examples") return { tab: "examples", words: ordinal("Example", member, field) };
  if (part === "limits") return { tab: "details", words: limits[member] ?? "Limits" };
  if (details[part] !== undefined) return { tab: "details", words: details[part] };
  if (part === "source") return inSource[member] ?? { tab: "code", words: "Code" };
  if (own === undefined) return { tab: "code", words: pointer };
  return part === "allowedHosts" && member !== ""
    ? { ...own, words: `${own.words}, line ${Number(member) + 1}` }
    : own;
}

function ordinal(word: string, at: string, field: string): string {
  if (at === "") return `${word}s`;
  return [`${word} ${Number(at) + 1}`, ...(field === "" ? [] : [field])].join(", ");
}
