import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { buildInput } from "./build-input.ts";
import { exampleInput } from "./examples.ts";
import type { OperationEntry } from "./list-operations.ts";
import { nameFields } from "./name-fields.ts";
import { isMarked, objectAt } from "./open-document.ts";
import type { OpenDocument } from "./open-document.ts";
import type { OperationPlan } from "./plan.ts";
import { planBody } from "./plan-body.ts";
import { answerOf, planOutput } from "./plan-output.ts";
import { planPagination } from "./plan-pagination.ts";
import { planParameters } from "./plan-parameters.ts";
import { alternativesOf } from "./plan-security.ts";
import { serversOf } from "./plan-servers.ts";
import { toLine } from "./text.ts";
import { qualifyTitle, titleOf } from "./title.ts";
import type { SecurityScheme, Server } from "./types.ts";

/** What the plans of all operations of a document share. */
export type DocumentParts = {
  document: OpenDocument;
  schemes: readonly SecurityScheme[];
  servers: Server[];
};

const maxDescription = 900;

/** Plans the tool for an operation. Throws `UnusableError` if it cannot become a tool. */
export function planOperation(parts: DocumentParts, entry: OperationEntry): OperationPlan {
  const { document, schemes } = parts;
  const { key, method, path, item } = entry;
  const operation = document.upgradeOperation(path, method.toLowerCase(), entry.operation);
  const parameters = planParameters(document, operation, { path, schemes });
  const body = planBody(document, operation, { method, schemes });
  const fields = nameFields([...parameters, ...body.fields]);
  const input = buildInput(document, fields);
  const kept = fields.filter(({ name }) => name in objectAt(input.schema, "properties"));
  const answer = answerOf(document, operation);
  const output = planOutput(document, answer);
  return {
    key,
    operationId: textAt(operation, "operationId"),
    method,
    path,
    title: qualifyTitle(
      titleOf(operation, key),
      tagsOf(operation)[0] ?? apiTitle(document.root).slice(0, 60),
    ),
    description: describe(document, operation, key),
    tags: tagsOf(operation),
    isDeprecated: own(operation, "deprecated") === true,
    ownServers: serversOf(operation) ?? serversOf(item),
    servers: parts.servers,
    alternatives: alternativesOf(document, operation, schemes),
    fields: kept,
    body: { ...body, fields: [] },
    inputSchema: input.schema,
    output,
    pagination: planPagination(document, kept, { answer, kind: output.kind }),
    needsConfirmation: method === "DELETE" || isMarked(operation),
    example: exampleInput(document, kept),
    notes: [...body.notes, ...input.notes],
  };
}

function describe({ root }: OpenDocument, operation: JsonObject, key: string): string {
  const summary = toLine(textAt(operation, "summary"), 200);
  const description = toLine(textAt(operation, "description"), maxDescription);
  const isRepeated = description.toLowerCase().startsWith(summary.toLowerCase().replace(/\.$/, ""));
  const texts = [isRepeated ? "" : summary, description].filter((text) => text !== "");
  const sentences = texts.map((text) => (/[.!?…]$/u.test(text) ? text : `${text}.`));
  return [...sentences, generatedSentence(root, key)].join(" ");
}

/** The end of each description, which the document does not contain. */
export function generatedSentence(root: JsonObject, key: string): string {
  const api = apiTitle(root);
  const name = api === "" ? "the API" : api;
  return `Sends ${toLine(key, 300)} to ${name}.`;
}

function apiTitle(root: JsonObject): string {
  return toLine(textAt(objectAt(root, "info"), "title"), 80);
}

function tagsOf(operation: JsonObject): string[] {
  const tags = own(operation, "tags");
  const names = Array.isArray(tags)
    ? tags.map((tag) => (isObject(tag) ? "" : toLine(tag, 60)))
    : [];
  return [...new Set(names)].filter((name) => name !== "").slice(0, 10);
}
