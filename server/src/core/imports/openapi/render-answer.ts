import type { OperationPlan, PaginationPlan } from "./plan.ts";
import type { Writer } from "./writer.ts";
import { toLiteral } from "./render-literal.ts";

/** The media type of a response that does not state its own. */
const usualTypes = {
  object: "application/json",
  list: "application/json",
  value: "application/json",
  none: "application/json",
  text: "text/plain",
  file: "application/octet-stream",
} as const;

/** Writes how the tool's output is made of the response. */
export function renderAnswer(writer: Writer, { method, output, pagination }: OperationPlan): void {
  if (method === "HEAD") {
    writer.lines.push("return { status: response.status };");
    return;
  }
  const { mediaType, kind, isStream } = output;
  const isKnown = mediaType !== undefined && !mediaType.includes("*");
  const documented = isKnown ? mediaType : usualTypes[kind];
  writer.constants.push(`const documented = ${toLiteral(documented)};`);
  writer.use(isStream ? "readStreamOutput" : "readOutput");
  const read = "readOutput(response, url, ctx)";
  if (pagination?.source === undefined) {
    writer.lines.push(`return ${read};`);
    return;
  }
  writer.lines.push(
    `const output = await ${read};`,
    `const nextPage = ${nextOf(writer, pagination)};`,
    "return nextPage === undefined ? output : { ...output, nextPage };",
  );
}

/** The expression for the next value of the field that selects a page. */
function nextOf(writer: Writer, { source, wireName, isNumber }: PaginationPlan): string {
  if (source?.from === "lastItem") return `${writer.use("lastItemId")}(output)`;
  const address =
    source?.from === "member"
      ? `${writer.use("memberOf")}(output, ${toLiteral(source.path)})`
      : `${writer.use("nextLink")}(response)`;
  const isUrl = source?.from === "link" || source?.isUrl === true;
  const value = isUrl ? `${writer.use("queryValue")}(${address}, ${toLiteral(wireName)})` : address;
  return isNumber ? `${writer.use("toNumber")}(${value})` : value;
}
