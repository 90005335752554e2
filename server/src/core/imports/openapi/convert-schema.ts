import { isObject, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { inputLimits } from "./limits.ts";
import { mergeAllOf, propertiesOf, requiredOf } from "./merge-all-of.ts";
import type { OpenDocument } from "./open-document.ts";
import { referenceOf } from "./references.ts";
import {
  asObject,
  choicesOf,
  formatOf,
  isNested,
  isReadOnly,
  isScalar,
  isShown,
  isSimple,
  isUsableName,
  isUsablePattern,
  mainTypeOf,
  rangesOf,
  typesFor,
  withoutClosing,
} from "./schema-values.ts";
import { toLine } from "./text.ts";

/** How much of a schema to convert. */
export type Detail = {
  /** Levels of properties, items and references. Schemas below accept any value. */
  depth: number;
  descriptionLength: number;
  choicesLength: number;
};

/** What was left out of a schema. */
export type Omissions = {
  /** Names of schemas that accept any value, since the whole was too large. */
  cut: Set<string>;
  /** Keywords and names that the input schema does not check. */
  unchecked: Set<string>;
};

/** The schema needs more subschemas than a tool may have. */
export class TooManySchemasError extends Error {
  override name = "TooManySchemasError";
}

/** Converts schemas of OpenAPI 3.1 into JSON Schema, in which referenced schemas become `$defs`. */
export type SchemaConverter = {
  convert(schema: Json | undefined): Json;
  /** The schemas that the converted ones refer to. Converts them, so it comes last. */
  definitions(): JsonObject;
  omissions: Omissions;
};

/** Keywords that a lenient schema omits: the API checks them, and a shortened schema could make them refuse everything. */
const unchecked = ["not", "if", "contains", "dependentSchemas", "dependentRequired"];
const dynamic = ["$dynamicRef", "$recursiveRef"];

export function createSchemaConverter(document: OpenDocument, detail: Detail): SchemaConverter {
  return new Converter(document, detail);
}

class Converter implements SchemaConverter {
  readonly omissions: Omissions = { cut: new Set(), unchecked: new Set() };
  readonly #document: OpenDocument;
  readonly #detail: Detail;
  readonly #definitions: JsonObject = {};
  readonly #names = new Map<string, string>();
  /** References whose targets are not converted yet, nearest first. */
  readonly #pending: { reference: string; name: string; depth: number }[] = [];
  #schemas = 0;
  #references = 0;
  #patterns = 0;

  constructor(document: OpenDocument, detail: Detail) {
    this.#document = document;
    this.#detail = detail;
  }

  convert(schema: Json | undefined): Json {
    return this.#convert(schema, 1);
  }

  definitions(): JsonObject {
    for (let at = 0; at < this.#pending.length; at += 1) {
      const { reference, name, depth } = this.#pending[at] ?? { reference: "", name: "", depth: 0 };
      const target = this.#document.follow({ $ref: reference });
      this.#definitions[name] = this.#convert(target, depth);
    }
    return this.#definitions;
  }

  #convert(schema: Json | undefined, depth: number): Json {
    this.#schemas += 1;
    if (this.#schemas > inputLimits.schemas) throw new TooManySchemasError();
    if (schema === false) return false;
    if (!isObject(schema)) return {};
    const reference = referenceOf(schema);
    if (reference !== undefined) return this.#refer(reference, schema, depth);
    if (dynamic.some((name) => Object.hasOwn(schema, name))) {
      this.omissions.unchecked.add("$dynamicRef");
      return this.#describe(schema);
    }
    for (const name of unchecked) {
      if (Object.hasOwn(schema, name)) this.omissions.unchecked.add(name);
    }
    if (Object.hasOwn(schema, "allOf")) return this.#convertAll(schema, depth);
    return this.#convertPlain(schema, depth);
  }

  /** A schema that only describes its value, or declares its type. */
  #describe(schema: JsonObject): JsonObject {
    const { descriptionLength } = this.#detail;
    const text = textAt(schema, "description") ?? textAt(schema, "title");
    const description = descriptionLength === 0 ? "" : toLine(text, descriptionLength);
    return {
      ...(description === "" ? {} : { description }),
      ...(own(schema, "writeOnly") === true ? { writeOnly: true } : {}),
      ...(own(schema, "deprecated") === true ? { deprecated: true } : {}),
    };
  }

  #refer(reference: string, schema: JsonObject, depth: number): Json {
    const beside = this.#describe(schema);
    const target = this.#document.follow(schema);
    if (target === undefined) {
      this.omissions.unchecked.add(reference.slice(0, 100));
      return beside;
    }
    if (!isObject(target)) return target === false ? false : beside;
    if (isSimple(target)) return { ...asObject(this.#convert(target, depth)), ...beside };
    const known = this.#names.get(reference);
    if (known === undefined && depth > this.#detail.depth)
      return { ...this.#cut(target), ...beside };
    this.#references += 1;
    if (this.#references > inputLimits.references) throw new TooManySchemasError();
    const name = known ?? this.#nameFor(reference);
    if (known === undefined) {
      this.#names.set(reference, name);
      this.#definitions[name] = {};
      this.#pending.push({ reference, name, depth });
    }
    return { $ref: `#/$defs/${name}`, ...beside };
  }

  #nameFor(reference: string): string {
    const last = reference.split("/").at(-1) ?? "";
    const base = last.replaceAll(/[^A-Za-z0-9_]/g, "_").slice(0, 60);
    const stem = base === "" || !isUsableName(base) ? `Schema_${base}` : base;
    let name = stem;
    for (let count = 2; Object.hasOwn(this.#definitions, name); count += 1)
      name = `${stem}_${count}`;
    return name;
  }

  /** A schema that accepts any value of the same type. */
  #cut(schema: JsonObject): JsonObject {
    const type = mainTypeOf(schema);
    this.omissions.cut.add(textAt(schema, "title")?.slice(0, 60) ?? type ?? "value");
    return { ...(type === undefined ? {} : { type }), ...this.#describe(schema) };
  }

  #convertAll(schema: JsonObject, depth: number): Json {
    const merged = mergeAllOf(this.#document, schema);
    if (merged !== undefined) return this.#convertPlain(merged, depth);
    const { allOf, ...rest } = schema;
    const parts = (Array.isArray(allOf) ? allOf : []).slice(0, inputLimits.alternatives);
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) {
      const inner = asObject(this.#convert(only, depth));
      const outer = asObject(this.#convertPlain(rest, depth));
      const clash = Object.keys(outer).some((name) => name !== "description" && name in inner);
      if (!clash) return { ...inner, ...outer };
    }
    return {
      ...asObject(this.#convertPlain(rest, depth)),
      allOf: parts.map((part) => withoutClosing(this.#convert(part, depth))),
    };
  }

  #convertPlain(schema: JsonObject, depth: number): Json {
    const choices = choicesOf(schema, this.#detail.choicesLength);
    if (choices === undefined && Array.isArray(schema["enum"]))
      this.omissions.unchecked.add("enum");
    const types = typesFor(schema, choices);
    const format = formatOf(schema);
    const out: JsonObject = {
      ...(types.length === 0 ? {} : { type: types.length === 1 ? (types[0] ?? "") : types }),
      ...this.#describe(schema),
      ...(choices === undefined ? {} : { enum: choices }),
      ...(isScalar(own(schema, "const")) ? { const: schema["const"] } : {}),
      ...(isShown(own(schema, "default")) ? { default: schema["default"] } : {}),
      ...(format === undefined ? {} : { format }),
      ...rangesOf(schema),
      ...this.#patternOf(schema),
    };
    if (depth > this.#detail.depth && isNested(schema)) return { ...out, ...this.#cut(schema) };
    return {
      ...out,
      ...this.#objectOf(schema, depth),
      ...this.#listOf(schema, depth),
      ...this.#anyOf(schema, depth),
    };
  }

  #patternOf(schema: JsonObject): JsonObject {
    const pattern = textAt(schema, "pattern");
    if (pattern === undefined) return {};
    this.#patterns += 1;
    if (this.#patterns <= inputLimits.patterns && isUsablePattern(pattern)) return { pattern };
    this.omissions.unchecked.add("pattern");
    return {};
  }

  #objectOf(schema: JsonObject, depth: number): JsonObject {
    const declared = propertiesOf(schema);
    const names = Object.keys(declared).filter(
      (name) => !isReadOnly(this.#document.follow(declared[name])),
    );
    const usable = names.filter((name) => isUsableName(name)).slice(0, inputLimits.properties);
    for (const name of names)
      if (!usable.includes(name)) this.omissions.unchecked.add(name.slice(0, 60).toWellFormed());
    const properties = usable.map(
      (name) => [name, this.#convert(declared[name], depth + 1)] as const,
    );
    const isClosed =
      own(schema, "additionalProperties") === false && usable.length === names.length;
    const required = [...new Set(requiredOf(schema))].filter((name) =>
      Object.hasOwn(declared, name) ? usable.includes(name) : !isClosed && isUsableName(name),
    );
    const additional = own(schema, "additionalProperties");
    return {
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 ? {} : { required: required.slice(0, inputLimits.properties) }),
      ...(isClosed && !Object.hasOwn(schema, "patternProperties")
        ? { additionalProperties: false }
        : {}),
      ...(isObject(additional) &&
      Object.keys(additional).length > 0 &&
      usable.length === names.length
        ? { additionalProperties: this.#convert(additional, depth + 1) }
        : {}),
    };
  }

  #listOf(schema: JsonObject, depth: number): JsonObject {
    const items = own(schema, "items");
    const prefix = own(schema, "prefixItems") ?? (Array.isArray(items) ? items : undefined);
    return {
      ...(isObject(items) && Object.keys(items).length > 0
        ? { items: this.#convert(items, depth + 1) }
        : {}),
      ...(Array.isArray(prefix) && prefix.length > 0 && prefix.length <= inputLimits.alternatives
        ? { prefixItems: prefix.map((item) => this.#convert(item, depth + 1)) }
        : {}),
    };
  }

  /** `oneOf` becomes `anyOf`: alternatives of documents often overlap, and the API decides. */
  #anyOf(schema: JsonObject, depth: number): JsonObject {
    const lists = ["oneOf", "anyOf"].map((name) => own(schema, name));
    const [first, second] = lists.filter(
      (list) => Array.isArray(list) && list.length > 0,
    ) as Json[][];
    if (second !== undefined) this.omissions.unchecked.add("anyOf");
    if (first === undefined) return {};
    if (first.length > inputLimits.alternatives) {
      this.omissions.cut.add("alternatives");
      return {};
    }
    const isNullable = own(schema, "nullable") === true;
    const parts = [
      ...first.map((part) => this.#convert(part, depth)),
      ...(isNullable ? [{ type: "null" }] : []),
    ];
    const unique = new Map(parts.map((part) => [JSON.stringify(part), part]));
    // An alternative that accepts anything makes the others pointless.
    return unique.has("{}") ? {} : { anyOf: [...unique.values()] };
  }
}
