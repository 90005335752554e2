import type { Credential, ExampleResults, JsonObject, Template } from "@toolhost/contract";
import { inputsWithoutDescription } from "@toolhost/tool-schema";
import { credentialsOf, objectAt, objectsAt, textAt } from "../definition/read-definition.ts";
import type { DraftTab } from "../search.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.checklist;

/** Something to look at before publishing, with the tab where it can be changed. */
export type CheckItem = {
  id: string;
  /** `blocked` cannot be published: it would be a mistake in any case. */
  level: "warning" | "blocked";
  message: string;
  tab: DraftTab;
};

type Facts = {
  definition: JsonObject;
  isNewTool: boolean;
  /** The type errors of the code; undefined if they are unknown. */
  typeErrors: readonly { line: number; message: string }[] | undefined;
  templates: readonly Pick<Template, "title" | "description">[];
  /** The last results of its examples at this revision; undefined if they were not run since the last change. */
  results: Pick<ExampleResults, "failed" | "results"> | undefined;
  /** The credentials that the user can see; undefined if they are unknown. */
  known: readonly Pick<Credential, "name" | "owner">[] | undefined;
  /** Whom the tool is available to if the definition does not say it. */
  visibility: string;
};

/** What speaks against publishing a draft, the most serious first. */
export function checkDraft(facts: Facts): CheckItem[] {
  const items = [
    ...checkCredentials(facts),
    ...checkTypes(facts),
    ...checkSharing(facts),
    ...checkTexts(facts),
    ...checkInputs(facts),
    ...checkExamples(facts),
  ];
  return items.toSorted((a, b) => Number(b.level === "blocked") - Number(a.level === "blocked"));
}

/** A credential without hosts is sent nowhere, so it has a purpose only if the code reads it. */
function checkCredentials({ definition }: Facts): CheckItem[] {
  return credentialsOf(definition)
    .filter(({ hosts, expose }) => hosts.length === 0 && !expose)
    .map(({ name }) => ({
      id: `credential ${name}`,
      level: "blocked",
      message: messages.credentialWithoutHosts(name),
      tab: "access",
    }));
}

/** Other members cannot use a personal credential. At an MCP server, each user is meant to sign in. */
function checkSharing({ definition, known = [], visibility }: Facts): CheckItem[] {
  if ((textAt(definition, "visibility") || visibility) === "private") return [];
  const owners = (name: string) => known.filter((one) => one.name === name);
  return objectsAt(definition, "credentials")
    .filter((one) => textAt(one, "resource") === "")
    .map((one) => textAt(one, "name"))
    .filter((name) => owners(name).length > 0)
    .filter((name) => owners(name).every(({ owner }) => owner === "user"))
    .map((name) => ({
      id: `sharing ${name}`,
      level: "warning",
      message: messages.personalCredential(name),
      tab: "access",
    }));
}

/** Agents fill in the inputs by their descriptions. */
function checkInputs({ definition }: Facts): CheckItem[] {
  const names = inputsWithoutDescription(objectAt(definition, "inputSchema"));
  if (names.length === 0) return [];
  const message = messages.inputsWithoutDescription(names);
  return [{ id: "inputs", level: "warning", message, tab: "input" }];
}

function checkTypes({ typeErrors = [] }: Facts): CheckItem[] {
  const [first] = typeErrors;
  if (first === undefined) return [];
  const message = messages.typeErrors(typeErrors.length, first.line, first.message);
  return [{ id: "types", level: "warning", message, tab: "code" }];
}

/** Agents choose tools by title and description. A new version of a tool that was made from a template may have its texts. */
function checkTexts({ definition, isNewTool, templates }: Facts): CheckItem[] {
  if (!isNewTool) return [];
  return (["title", "description"] as const).flatMap((name): CheckItem[] => {
    const text = textAt(definition, name).trim();
    const isUnchanged = text !== "" && templates.some((template) => template[name].trim() === text);
    if (!isUnchanged) return [];
    return [{ id: name, level: "warning", message: messages.templateText[name], tab: "details" }];
  });
}

function checkExamples({ definition, results }: Facts): CheckItem[] {
  const { length } = objectsAt(definition, "examples");
  const isEmpty = length === 0;
  const isRun = results !== undefined && results.results.length >= length;
  if (!isEmpty && isRun && results.failed === 0) return [];
  const message = isEmpty
    ? messages.noExamples
    : results !== undefined && results.failed > 0
      ? messages.examplesFailed(results.failed)
      : results === undefined
        ? messages.examplesNotRun
        : messages.someExamplesNotRun;
  return [{ id: "examples", level: "warning", message, tab: "examples" }];
}
