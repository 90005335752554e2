import type { OperationPlan, PaginationPlan } from "./plan.ts";
import type { Writer } from "./writer.ts";
import { toLiteral } from "./render-literal.ts";

/** Writes how the tool's output is made of the response. */
export function renderAnswer(writer: Writer, { output, pagination }: OperationPlan): void {
  const { lines } = writer;
  if (output.kind === "status") lines.push("return { status: response.status };");
  else if (output.kind === "text") lines.push("return { text: await response.text() };");
  else if (output.kind === "file") {
    lines.push(
      "const file = await ctx.files.save({",
      `  name: ${writer.use("fileName")}(response, url),`,
      '  mimeType: response.headers.get("content-type") ?? "application/octet-stream",',
      "  body: response,",
      "});",
      "return { file };",
    );
  } else renderJson(writer, output.kind, pagination);
}

function renderJson(
  writer: Writer,
  kind: "object" | "list" | "value",
  pagination: PaginationPlan | undefined,
): void {
  const { lines } = writer;
  const hasNext = pagination?.source !== undefined;
  if (hasNext || kind === "list")
    lines.push(`const answer = await ${writer.use("readJson")}(response);`);
  if (hasNext) lines.push(`const nextPage = ${nextOf(writer, pagination)};`);
  const next = hasNext ? ["...(nextPage === undefined ? {} : { nextPage })"] : [];
  const answer =
    hasNext || kind === "list" ? "answer" : `await ${writer.use("readJson")}(response)`;
  if (kind === "object") {
    const members = `${writer.use("toOutput")}(${answer})`;
    lines.push(hasNext ? `return { ...${members}, ${next.join("")} };` : `return ${members};`);
  } else if (kind === "list") {
    lines.push(
      `if (!Array.isArray(answer)) return ${writer.use("toOutput")}(answer);`,
      `return { ${["items: answer", ...next].join(", ")} };`,
    );
  } else lines.push(`return { ${[`result: ${answer}`, ...next].join(", ")} };`);
}

/** The expression for the next value of the field that selects a page. */
function nextOf(writer: Writer, { source, wireName, isNumber }: PaginationPlan): string {
  if (source?.from === "lastItem") return `${writer.use("lastItemId")}(answer)`;
  const address =
    source?.from === "member"
      ? `${writer.use("memberOf")}(answer, ${toLiteral(source.path)})`
      : `${writer.use("nextLink")}(response)`;
  const isUrl = source?.from === "link" || source?.isUrl === true;
  const value = isUrl ? `${writer.use("queryValue")}(${address}, ${toLiteral(wireName)})` : address;
  return isNumber ? `${writer.use("toNumber")}(${value})` : value;
}
