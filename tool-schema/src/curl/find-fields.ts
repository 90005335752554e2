import type { Json } from "../json.ts";
import { fromEntries, isObject } from "../json.ts";
import type { CurlRequest, Pair } from "./curl-request.ts";
import { findInPath } from "./find-in-path.ts";
import type { PathSegment } from "./find-in-path.ts";
import type { Secret } from "./find-secrets.ts";
import { parsePart } from "./read-body.ts";
import type { FieldPlace, RequestField } from "./request-field.ts";
import { isPlaceholder, isSecretMember, isSecretName, withoutSecrets } from "../secrets/index.ts";

export type FoundFields = { origin: string; segments: PathSegment[]; fields: RequestField[] };

/** The values of a request that are no secrets. */
export function findFields(request: CurlRequest, secrets: readonly Secret[]): FoundFields {
  const known = new Set(secrets.map(({ id }) => id));
  const isSecret = (place: string, name: string) => known.has(`${place}:${name}`);
  const path = findInPath(request.url, secrets, (name, value) => field("path", name, value));
  const query = merge(request.query.filter(({ name }) => !isSecret("query", name)));
  const headers = request.headers.filter(
    ({ name }) => !/^(?:proxy-)?authorization$|^accept$/.test(name) && !isSecret("header", name),
  );
  const fields = [
    ...path.fields,
    ...query.map(([name, values]) => field("query", name, valueOf(values))),
    ...headers.map(({ name, value }) => ({
      ...field("header", name, value),
      isInput: isPlaceholder(value),
    })),
    ...findInBody(request, isSecret),
  ];
  return { origin: new URL(request.url).origin, segments: path.segments, fields };
}

/** By the ID of a field, whether it is an input. */
export type InputChoices = ReadonlyMap<string, boolean>;

export function isChosen({ id, isInput, isAlwaysInput }: RequestField, inputs?: InputChoices) {
  return isAlwaysInput || (inputs?.get(id) ?? isInput);
}

/** The URL with placeholders for the segments of the path that are inputs. */
export function urlOf({ origin, segments, fields }: FoundFields, inputs?: InputChoices): string {
  const chosen = new Set(fields.filter((one) => isChosen(one, inputs)).map(({ id }) => id));
  const path = segments.map(({ written, templated, fieldId }) =>
    fieldId !== undefined && chosen.has(fieldId) ? templated : written,
  );
  return `${origin}${path.join("/")}`;
}

function field(
  place: FieldPlace,
  name: string,
  value: Json | undefined,
  isSecret = place !== "path" && isSecretName(name, value),
): RequestField {
  const hasSample =
    value !== undefined && !(typeof value === "string" && isPlaceholder(value) && !isProse(value));
  const sample = hasSample ? withoutSecrets(value, isSecret) : undefined;
  const isAlwaysInput = sample === undefined || JSON.stringify(sample) !== JSON.stringify(value);
  return { id: `${place}:${name}`, place, name, sample, isInput: true, isAlwaysInput };
}

/** "My photo" and "Your order" are texts, unlike `my-id` and `<your id>`. */
function isProse(value: string): boolean {
  return /^[a-z]+ /i.test(value);
}

/** Values of the same name become a list. */
function merge(pairs: readonly Pair[]): [string, string[]][] {
  const groups = groupByName(pairs);
  return [...groups].map(([name, all]) => [name, all.map(({ value }) => value)]);
}

function groupByName<T extends { name: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.name);
    if (group === undefined) groups.set(item.name, [item]);
    else group.push(item);
  }
  return groups;
}

function valueOf(values: readonly string[]): Json {
  const [only = ""] = values;
  return values.length === 1 ? toScalar(only) : values.map(toScalar);
}

/** A query and a form consist of text. What looks like a number or a truth value is one. */
function toScalar(text: string): Json {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) && String(Number(text)) === text) {
    return Number(text);
  }
  return text === "true" || text === "false" ? text === "true" : text;
}

type IsSecret = (place: string, name: string) => boolean;

function findInBody({ body }: CurlRequest, isSecret: IsSecret): RequestField[] {
  const isFree = ({ name }: { name: string }) => !isSecret("body", name);
  if (body.kind === "none") return [];
  if (body.kind === "file") return [field("file", "", undefined)];
  if (body.kind === "text") return [field("whole", "", body.text)];
  if (body.kind === "form") {
    const members = fromEntries(body.fields.map(({ name, value }) => [name, value]));
    return merge(body.fields.filter(isFree)).map(([name, values]) =>
      field("body", name, valueOf(values), isSecretMember(members, name)),
    );
  }
  if (body.kind === "multipart") {
    return [...groupByName(body.parts.filter(isFree))].map(([name, parts]) => {
      const texts = parts.flatMap((part) => ("value" in part ? [part.value] : []));
      return texts.length < parts.length
        ? field("file", name, undefined)
        : field("body", name, parts.map(parsePart).find(isObject) ?? valueOf(texts));
    });
  }
  if (!isObject(body.value) || Object.keys(body.value).length === 0) {
    return [field("whole", "", body.value)];
  }
  const isGraphQl =
    typeof body.value["query"] === "string" && Object.hasOwn(body.value, "variables");
  const members = body.value;
  return Object.entries(members)
    .filter(([name]) => isFree({ name }))
    .map(([name, value]) => {
      const found = field("body", name, value, isSecretMember(members, name));
      // The tool is one operation: its query stays, and its variables vary.
      return isGraphQl && name !== "variables" ? { ...found, isInput: found.isAlwaysInput } : found;
    });
}
