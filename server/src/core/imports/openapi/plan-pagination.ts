import { isObject, own } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { mergeAllOf, propertiesOf } from "./merge-all-of.ts";
import type { OpenDocument } from "./open-document.ts";
import type { Field, OutputKind, PageSource, PaginationPlan } from "./plan.ts";
import type { Answer } from "./plan-output.ts";
import { mainTypeOf } from "./schema-values.ts";

/** Names of parameters that select a page. */
const cursors = toNames(
  "cursor page_token next_page_token next_token next_cursor continue continuation_token starting_after after page_cursor start_cursor marker",
);
const pages = toNames("page page_number page_num");
const offsets = toNames("offset skip start_at");

/** Members of answers with the value for the next page. */
const nextValues = toNames(
  "next_cursor next_page_token next_token next_marker continuation_token continue after end_cursor cursor last_id next_page next_offset",
);
/** Members of answers with the URL of the next page. */
const nextUrls = toNames("next next_url next_page_uri next_page_url next_link");
/** Members of answers that contain such members. */
const holders = toNames(
  "response_metadata metadata meta pagination paging page_info links cursors cursor",
);

/** Names are compared without separators and in lowercase, since each API has its own style. */
function toNames(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").map(simplify));
}

/** The field that selects a page, and where an answer has its next value. */
export function planPagination(
  document: OpenDocument,
  fields: readonly Field[],
  { answer, kind }: { answer: Answer; kind: OutputKind },
): PaginationPlan | undefined {
  const found = findField(fields);
  if (found === undefined || (kind !== "object" && kind !== "list")) return undefined;
  const { field, kind: fieldKind } = found;
  const target = document.follow(field.schema);
  const member = kind === "object" ? findMember(document, answer.schema, field) : undefined;
  const hasLink = answer.hasLinkHeader && field.place === "query";
  const source = member ?? (hasLink ? { from: "link" as const } : undefined);
  return {
    kind: source?.from === "link" ? "link" : fieldKind,
    input: field.name,
    wireName: field.wireName,
    isNumber: isObject(target) && ["integer", "number"].includes(mainTypeOf(target) ?? ""),
    ...(source === undefined ? {} : { source, output: "nextPage" }),
  };
}

function findField(fields: readonly Field[]) {
  const usable = fields.filter(({ place }) => place === "query" || place === "body");
  for (const [kind, names] of [
    ["cursor", cursors],
    ["page", pages],
    ["offset", offsets],
  ] as const) {
    const field = usable.find(({ wireName }) => names.has(simplify(wireName)));
    if (field !== undefined) return { field, kind };
  }
  return undefined;
}

function findMember(
  document: OpenDocument,
  schema: Json | undefined,
  { place }: Field,
): PageSource | undefined {
  const top = membersOf(document, schema);
  const inner = top
    .filter(([name]) => holders.has(simplify(name)))
    .flatMap(([name, member]) =>
      membersOf(document, member).map(([last, value]) => [[name, last], value] as const),
    );
  const all = [...top.map(([name, value]) => [[name], value] as const), ...inner];
  const find = (names: ReadonlySet<string>) =>
    all.find(
      ([path, value]) => names.has(simplify(path.at(-1) ?? "")) && isScalar(document, value),
    );
  const value = find(nextValues);
  if (value !== undefined) return { from: "member", path: [...value[0]], isUrl: false };
  const url = place === "query" ? find(nextUrls) : undefined;
  if (url !== undefined) return { from: "member", path: [...url[0]], isUrl: true };
  return isListOfItems(document, top) ? { from: "lastItem" } : undefined;
}

/** Whether the ID of the last item selects the next page: the answer has `data` and `has_more`. */
function isListOfItems(document: OpenDocument, members: readonly [string, Json][]): boolean {
  const [data, more] = ["data", "has_more"].map((name) => {
    const found = members.find(([other]) => other === name);
    const target = found === undefined ? undefined : document.follow(found[1]);
    return isObject(target) ? target : {};
  });
  if (mainTypeOf(data ?? {}) !== "array" || mainTypeOf(more ?? {}) !== "boolean") return false;
  const items = own(data ?? {}, "items");
  return membersOf(document, items).some(([name]) => name === "id");
}

function membersOf(document: OpenDocument, schema: Json | undefined): [string, Json][] {
  const merged: JsonObject | undefined = mergeAllOf(document, schema);
  return merged === undefined ? [] : Object.entries(propertiesOf(merged));
}

function isScalar(document: OpenDocument, schema: Json): boolean {
  const target = document.follow(schema);
  if (!isObject(target)) return false;
  const type = mainTypeOf(target);
  const isOpen = type === undefined && own(target, "properties") === undefined;
  return type === "string" || type === "integer" || type === "number" || isOpen;
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
