/** The type that a response has decides, not the one that the document names. */
function readOutputCode(read: string): string {
  return `/** What the API returned: the members of a JSON object, other JSON, text, or a file. */
async function readOutput(response: Response, url: URL, ctx: Context): Promise<Output> {
  const { status, headers } = response;
  const type = headers.get("content-type") ?? documented;
  if (status === 204) return { status };
  const isText = /^text\\/|json|[/+](?:x-)?(?:xml|yaml|javascript)\\b|urlencoded|charset=(?!binary)/i;
  if (!isText.test(type)) return saveFile(response, response, url, ctx);
  const text = await ${read};
  if (text.trim() === "") return { status };
  // Larger outputs may exceed the limit of a run.
  if (text.length > 2_000_000) return saveFile(response, text, url, ctx);
  if (!/json/i.test(type + documented)) return { text };
  try {
    const answer = JSON.parse(text) as unknown;
    if (Array.isArray(answer)) return { items: answer };
    return typeof answer === "object" && answer !== null ? { ...answer } : { result: answer };
  } catch {
    return { text };
  }
}`;
}

/** Functions by which generated tools read responses, in the order in which tools have them. */
export const responseHelpers = {
  readOutput: { uses: ["saveFile"], code: readOutputCode("response.text()") },
  readStreamOutput: {
    uses: ["saveFile", "readStream"],
    code: readOutputCode("readStream(response, ctx)"),
  },
  readStream: {
    uses: [],
    code: `/** The text of a response that may have no end, up to 1 MB or shortly before the time limit. */
async function readStream(response: Response, ctx: Context): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= 1_000_000) break;
    }
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
  }
  return text;
}`,
  },
  saveFile: {
    uses: [],
    code: `/** Saves what the API returned, with the name that it declares or the end of its path. */
async function saveFile(
  response: Response,
  body: Response | string,
  url: URL,
  ctx: Context,
): Promise<Output> {
  const type = response.headers.get("content-type") ?? documented;
  const mimeType = /^[\\w.+-]+\\/[\\w.+-]+/.exec(type)?.[0] ?? "application/octet-stream";
  const header = response.headers.get("content-disposition") ?? "";
  const declared = /\\bfilename\\*?=(?:utf-8'[^']*')?"?([^";]+)/i.exec(header)?.[1];
  const name = declared ?? url.pathname.split("/").findLast((part) => part !== "") ?? "download";
  const usual = mimeType.replace("audio/mpeg", "audio/mp3");
  const [, extension = "bin"] = /\\/(?:x-)?([a-z0-9]{2,5})$/.exec(usual) ?? [];
  const fullName = /\\.\\w{1,8}$/.test(name) ? name : \`\${name}.\${extension}\`;
  return { file: await ctx.files.save({ name: fullName.slice(-200), mimeType, body }) };
}`,
  },
  memberOf: {
    uses: [],
    code: `/** The text or number at a path of members; undefined if there is none. */
function memberOf(answer: unknown, path: string[]): string | undefined {
  let value = answer;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}`,
  },
  lastItemId: {
    uses: ["memberOf"],
    code: `/** The ID of the last item, if there are more. */
function lastItemId(answer: unknown): string | undefined {
  const { data, has_more: hasMore } = answer as { data?: unknown; has_more?: unknown };
  return hasMore === true && Array.isArray(data) ? memberOf(data.at(-1), ["id"]) : undefined;
}`,
  },
  nextLink: {
    uses: [],
    code: `/** The URL of the next page in the Link header (RFC 8288). */
function nextLink(response: Response): string | undefined {
  return /<([^>]+)>;[^,]*\\brel="?next"?/.exec(response.headers.get("link") ?? "")?.[1];
}`,
  },
  queryValue: {
    uses: [],
    code: `/** The value of a query parameter in a URL. */
function queryValue(address: string | undefined, name: string): string | undefined {
  if (address === undefined || !URL.canParse(address, server)) return undefined;
  return new URL(address, server).searchParams.get(name) ?? undefined;
}`,
  },
  toNumber: {
    uses: [],
    code: `function toNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isNaN(number) ? undefined : number;
}`,
  },
  describeProblem: {
    uses: ["messageOf"],
    code: `/** Why a request failed, in the words of the API, and when to retry it. */
async function describeProblem(response: Response): Promise<string> {
  const { status, statusText, headers } = response;
  const text = (await response.text()).trim();
  const message = messageOf(text).slice(0, 1_000) || statusText;
  const retryAfter = headers.get("retry-after");
  const requestId = headers.get("x-request-id") ?? headers.get("request-id");
  const notes = [
    retryAfter === null ? "" : \` Retry after \${retryAfter}\${/^\\d+$/.test(retryAfter) ? " s" : ""}.\`,
    requestId === null ? "" : \` Request ID: \${requestId}.\`,
  ];
  const reason = message === "" ? "." : \`: \${message}\${/[.!?]$/.test(message) ? "" : "."}\`;
  return \`\${operation} failed with status \${status}\${reason}\${notes.join("")}\`;
}`,
  },
  messageOf: {
    uses: ["findMessage"],
    code: `/** The message in the body of an error: of problem details (RFC 9457), or of a usual member. */
function messageOf(text: string): string {
  try {
    return findMessage(JSON.parse(text)) ?? text;
  } catch {
    return text;
  }
}`,
  },
  findMessage: {
    uses: [],
    code: `function findMessage(problem: unknown): string | undefined {
  if (typeof problem === "string") return problem === "" ? undefined : problem;
  if (Array.isArray(problem)) return findMessage(problem[0]);
  if (typeof problem !== "object" || problem === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(problem));
  return ["detail", "message", "error_description", "error", "errors", "title"]
    .map((name) => findMessage(members.get(name)))
    .find((message) => message !== undefined);
}`,
  },
} as const;
