/** Functions that generated tools have below their main function. Each tool has those that it uses. */
export type HelperName = keyof typeof helpers;

type Helper = { uses: readonly string[]; code: string };

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

/** In the order in which tools have them. */
const helpers = {
  fillPath: {
    uses: [],
    code: `/** Replaces each {name} of the path by its value. */
function fillPath(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\\{([^{}]+)\\}/g, (whole, name: string) => values[name] ?? whole);
}`,
  },
  segment: {
    uses: ["listOf", "toText"],
    code: `/** A value as one segment of a path. "." and ".." would change the rest of the path. */
function segment(value: unknown): string {
  const text = listOf(value)
    .map((item) => encodeURIComponent(toText(item)))
    .join(",");
  if (/^\\.{0,2}$/.test(text)) throw new Error(\`"\${text}" cannot be a part of the path.\`);
  return text;
}`,
  },
  subPath: {
    uses: ["segment", "toText"],
    code: `/** A value as one or more segments of a path. */
function subPath(value: unknown): string {
  return toText(value).split("/").map(segment).join("/");
}`,
  },
  styledSegment: {
    uses: ["assignments", "listOf", "segment", "toText"],
    code: `/** A value in a path with the style "simple", "label" or "matrix" (RFC 6570). */
function styledSegment(style: string, name: string, value: unknown, isExploded: boolean): string {
  const items = isExploded
    ? assignments(style === "matrix" ? name : undefined, value)
    : [listOf(value)
        .map((item) => encodeURIComponent(toText(item)))
        .join(",")];
  if (style === "simple") return isExploded ? items.join(",") : segment(value);
  if (style === "label") return items.map((item) => \`.\${item}\`).join("");
  return items.map((item) => (isExploded ? \`;\${item}\` : \`;\${encodeURIComponent(name)}=\${item}\`)).join("");
}`,
  },
  assignments: {
    uses: ["pair", "toText"],
    code: `/** Each member of an object as "name=value". Other values have the given name, or none. */
function assignments(name: string | undefined, value: unknown): string[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([key, item]) => pair(key, item));
  }
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => (name === undefined ? encodeURIComponent(toText(item)) : pair(name, item)));
}`,
  },
  parameter: {
    uses: ["pair"],
    code: `/** A parameter as "name=value". A list repeats the name, and an object has one for each member. */
function parameter(name: string, value: unknown, encode = encodeURIComponent): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item: unknown) => pair(name, item, encode));
  if (typeof value !== "object") return [pair(name, value, encode)];
  return Object.entries(value).map(([key, item]) => pair(key, item, encode));
}`,
  },
  joined: {
    uses: ["listOf", "toText"],
    code: `/** A parameter as "name=value", with the items of a list or object joined by the separator. */
function joined(name: string, value: unknown, separator: string, encode = encodeURIComponent): string[] {
  if (value === undefined || value === null) return [];
  const items = listOf(value).map((item) => encode(toText(item)));
  return [\`\${encodeURIComponent(name)}=\${items.join(separator)}\`];
}`,
  },
  nested: {
    uses: ["pair"],
    code: `/** A parameter whose members are written as "name[member]=value". */
function nested(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => nested(typeof item === "object" ? name : \`\${name}[]\`, item));
  }
  if (typeof value !== "object") return [pair(name, value)];
  return Object.entries(value).flatMap(([key, item]) => nested(\`\${name}[\${key}]\`, item));
}`,
  },
  pair: {
    uses: ["toText"],
    code: `function pair(name: string, value: unknown, encode = encodeURIComponent): string {
  return \`\${encodeURIComponent(name)}=\${encode(toText(value))}\`;
}`,
  },
  encodeReserved: {
    uses: [],
    code: `/** Encodes a value like a URL, in which reserved characters stay as they are. */
function encodeReserved(text: string | number | boolean): string {
  return encodeURI(String(text)).replaceAll(/[#&+]/g, encodeURIComponent);
}`,
  },
  headerValue: {
    uses: ["listOf", "toText"],
    code: `/** A value for a header: a list is separated by commas. */
function headerValue(value: unknown): string {
  return listOf(value).map(toText).join(",");
}`,
  },
  listOf: {
    uses: [],
    code: `/** The items of a list, the names and values of an object, or the value itself. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? Object.entries(value).flat() : [value];
}`,
  },
  toText: {
    uses: [],
    code: `/** A value as text. Lists and objects become JSON. */
function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}`,
  },
  toPart: {
    uses: [],
    code: `/** An uploaded file as a part of a form. */
async function toPart(ctx: Context, id: string): Promise<File> {
  const file = await ctx.files.open(id);
  return new File([await file.arrayBuffer()], file.fileName, { type: file.mimeType });
}`,
  },
  hasValue: {
    uses: [],
    code: `/** Whether any member has a value. */
function hasValue(body: Record<string, unknown>): boolean {
  return Object.values(body).some((value) => value !== undefined);
}`,
  },
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
    code: `/** Why a request failed, in the words of the API. */
async function describeProblem(response: Response): Promise<string> {
  const text = (await response.text()).trim();
  const message = messageOf(text).slice(0, 1_000) || response.statusText;
  return \`\${operation} failed with status \${response.status}\${message === "" ? "." : \`: \${message}\`}\`;
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
} as const satisfies Readonly<Record<string, Helper>>;

/** The code of the named helpers, and of those that they use. */
export function helperCode(names: ReadonlySet<HelperName>): string {
  const all: Readonly<Record<string, Helper>> = helpers;
  const found = new Set<string>(names);
  for (const name of found) for (const used of all[name]?.uses ?? []) found.add(used);
  return Object.entries(all)
    .filter(([name]) => found.has(name))
    .map(([, { code }]) => code)
    .join("\n\n");
}
