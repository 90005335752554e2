import type { HelperName } from "./helper-code.ts";
import type { Field } from "./plan.ts";
import { toLiteral } from "./render-literal.ts";

/** The code of a tool while it is written. */
export type Writer = {
  /** Above the main function. */
  constants: string[];
  /** Of the main function. */
  lines: string[];
  /** Registers a helper and returns its name. */
  use(name: HelperName): string;
};

/** The expression for the value of a field. */
export function inputOf({ name, value }: Pick<Field, "name" | "value">): string {
  return value ?? `input[${toLiteral(name)}]`;
}

const separators: Readonly<Record<string, string>> = {
  form: ",",
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
};

/** The expression for the parts of a query, form or cookie that a field becomes. */
export function parameterOf(writer: Writer, field: Field): string {
  const { style, isExploded, isReserved, isJson } = field.serialization;
  const name = toLiteral(field.wireName);
  const encode = isReserved ? `, ${writer.use("encodeReserved")}` : "";
  if (isJson)
    return `${writer.use("parameter")}(${name}, JSON.stringify(${inputOf(field)})${encode})`;
  if (style === "deepObject") return `${writer.use("nested")}(${name}, ${inputOf(field)})`;
  if (isExploded) return `${writer.use("parameter")}(${name}, ${inputOf(field)}${encode})`;
  const separator = toLiteral(separators[style] ?? ",");
  return `${writer.use("joined")}(${name}, ${inputOf(field)}, ${separator}${encode})`;
}

/**
 * The parts of a query or form that the fields become. Many plain ones share one expression, over a list of their names that is
 * written above.
 */
export function parametersOf(writer: Writer, list: string, fields: readonly Field[]): string[] {
  const plain = fields.filter(({ name, wireName, serialization, value }) => {
    const { style, isExploded, isReserved, isJson } = serialization;
    if (value !== undefined) return false;
    return name === wireName && style === "form" && isExploded && !isReserved && !isJson;
  });
  if (plain.length <= maxLines) return fields.map((field) => `...${parameterOf(writer, field)}`);
  const names = plain.map(({ name }) => toLiteral(name));
  writer.constants.push(...listLines(`const ${list} = [`, names, "] as const;"));
  const others = fields.filter((field) => !plain.includes(field));
  return [
    `...${list}.flatMap((name) => ${writer.use("parameter")}(name, input[name]))`,
    ...others.map((field) => `...${parameterOf(writer, field)}`),
  ];
}

/** A list that only spreads another is that one. */
export function arrayLines(start: string, items: readonly string[], end: string): string[] {
  const [only] = items;
  return items.length === 1 && only?.startsWith("...") === true
    ? [`${start}${only.slice(3)}${end}`]
    : listLines(`${start}[`, items, `]${end}`);
}

const maxWidth = 96;
/** More items share lines, so that functions stay short. */
const maxLines = 12;

/** A list in one line, or with its items in lines of their own. */
export function listLines(start: string, items: readonly string[], end: string): string[] {
  const line = `${start}${items.join(", ")}${end}`;
  return line.length <= maxWidth && !start.endsWith("{")
    ? [line]
    : [start, ...itemLines(items).map((text) => `  ${text}`), end];
}

function itemLines(items: readonly string[]): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const isRoomy = last !== undefined && last.length + item.length + 6 <= maxWidth;
    if (items.length > maxLines && isRoomy) lines[lines.length - 1] = `${last} ${item},`;
    else lines.push(`${item},`);
  }
  return lines;
}
