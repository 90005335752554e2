import type { DraftTab } from "../search.ts";
import { messages as allMessages } from "./messages.ts";

/** Where a part of a definition is edited: the tab, and the label of the field. */
export type EditorLocation = { tab: DraftTab; label: string };

const messages = allMessages.locations;

const details: Readonly<Record<string, string>> = {
  title: messages.title,
  description: messages.description,
  visibility: messages.visibility,
  timeoutMs: messages.timeoutMs,
  limits: messages.limits,
  isolation: messages.behavior,
  idempotent: messages.behavior,
  confirm: messages.behavior,
};
const limits: Readonly<Record<string, string>> = {
  cpuMs: messages.cpuMs,
  memoryMb: messages.memoryMb,
  outputBytes: messages.outputBytes,
  logBytes: messages.logBytes,
};
const sections: Readonly<Record<string, EditorLocation>> = {
  inputSchema: { tab: "input", label: messages.inputSchema },
  fileFields: { tab: "input", label: messages.fileFields },
  outputSchema: { tab: "output", label: messages.outputSchema },
  allowedHosts: { tab: "access", label: messages.allowedHosts },
};
const sourceFields: Readonly<Record<string, EditorLocation>> = {
  dependencies: { tab: "access", label: messages.packages },
  language: { tab: "access", label: messages.language },
};

/** Finds where a JSON pointer into a definition, such as "/limits/cpuMs", is edited. */
export function locationOf(pointer: string): EditorLocation {
  const [section = "", member = "", field = ""] = pointer.split("/").slice(1);
  const known = sections[section];
  if (section === "credentials") {
    const { credential, credentials } = messages;
    return { tab: "access", label: itemLabel(credential, credentials, member, field) };
  }
  if (section === "examples") {
    const { example, examples } = messages;
    return { tab: "examples", label: itemLabel(example, examples, member, field) };
  }
  if (section === "limits") return { tab: "details", label: limits[member] ?? messages.limits };
  if (details[section] !== undefined) return { tab: "details", label: details[section] };
  if (section === "source") return sourceFields[member] ?? { tab: "code", label: messages.code };
  if (known === undefined) return { tab: "code", label: pointer };
  return section === "allowedHosts" && member !== ""
    ? { ...known, label: allMessages.problems.line(known.label, Number(member) + 1) }
    : known;
}

function itemLabel(one: string, all: string, index: string, field: string): string {
  if (index === "") return all;
  return [`${one} ${Number(index) + 1}`, ...(field === "" ? [] : [field])].join(", ");
}
