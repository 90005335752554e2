import { checkSize } from "./check-size.ts";
import { CurlError } from "./curl-error.ts";
import { otherSignIns } from "./curl-options.ts";
import { methods } from "./curl-request.ts";
import type { CurlRequest, Method, Pair, RequestBody } from "./curl-request.ts";
import * as messages from "./messages.ts";
import { decodePair, parsePart, readBody } from "./read-body.ts";
import { readOptions } from "./read-options.ts";
import type { Option } from "./read-options.ts";
import { splitWords } from "./split-words.ts";
import type { Words } from "./split-words.ts";

const formType = "application/x-www-form-urlencoded";
/** Characters of a command. */
export const maxCommandLength = 128 * 1024;

/**
 * Reads the request of a curl command as Bash, or the command line of Windows, would run it. Expands no variables and reads no
 * files. Throws `CurlError`.
 */
export function readCurl(text: string): CurlRequest {
  if (text.length > maxCommandLength) throw new CurlError(messages.tooLong(maxCommandLength));
  const { words, hasMore, input } = commandOf(text);
  const { options: written, hasNext } = readOptions(words);
  const options = written.map((option) => withInput(option, input));
  const valuesOf = (...names: string[]) =>
    options.filter(({ name }) => names.includes(name)).map(({ value }) => value);
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  const urls = valuesOf("url");
  const { url, query, user, isAssumed } = readUrl(urls[0]);
  const { headers, cookies, basic, ignored, contentType } = readHeaders(options);
  const body = readBody(options, has("get") ? formType : contentType);
  const isQuery = has("get") && body.kind === "form";
  const sent: RequestBody = isQuery ? { kind: "none" } : body;
  const method = methodOf(valuesOf("request").at(-1), { has, body: sent });
  const signIn = options.find(({ name }) => otherSignIns.has(name));
  const hasNoBody = method === "GET" || method === "HEAD";
  const request = {
    method,
    url,
    query: [
      ...query,
      ...valuesOf("url-query").map((pair) => decodePair(pair.replace(/^\+/, ""))),
      ...(isQuery ? body.fields : []),
    ],
    headers,
    cookies,
    user: signIn === undefined ? (basic ?? userOf(valuesOf("user").at(-1)) ?? user) : undefined,
    body: hasNoBody ? ({ kind: "none" } as const) : sent,
  };
  checkSize(request);
  return {
    ...request,
    notes: [
      ...(isAssumed ? [messages.assumedHttps] : []),
      ...(urls.length > 1 ? [messages.onlyFirstUrl] : []),
      ...(hasMore || hasNext ? [messages.onlyFirst] : []),
      ...(ignored.length === 0 ? [] : [messages.ignoredHeaders(ignored)]),
      ...(signIn === undefined ? [] : [messages.otherSignIn(`--${signIn.name}`)]),
      ...(hasNoBody && sent.kind !== "none" ? [messages.bodyNotSent(method)] : []),
      ...noteParts(sent),
      ...noteOptions(options),
    ],
  };
}

/** Objects of JSON keep their type, as text does. */
function noteParts(body: RequestBody): string[] {
  if (body.kind !== "multipart") return [];
  const names = body.parts.flatMap((part) => {
    const isTyped = "mediaType" in part && part.mediaType !== "text/plain";
    return isTyped && parsePart(part) === undefined ? [part.name] : [];
  });
  return names.length === 0 ? [] : [messages.typesOfParts(names)];
}

/** The words after `curl`, without a prompt and assignments before it. */
function commandOf(text: string): Words {
  const plain = text.replace(/^\s*(?:[$%>]\s+)?/, "");
  if (plain.trim() === "") throw new CurlError(messages.empty);
  if (/^(?:\$session|Invoke-WebRequest|Invoke-RestMethod|iwr\s|irm\s)/i.test(plain)) {
    throw new CurlError(messages.powerShell);
  }
  const { words, ...rest } = splitWords(plain);
  const start = words.findIndex((word) => !/^\w+=/.test(word) && word !== "sudo");
  const command = words[start] ?? "";
  if (!/(?:^|[/\\])curl(?:\.exe)?$/i.test(command)) throw new CurlError(messages.notCurl(command));
  return { words: words.slice(start + 1), ...rest };
}

/** `-d @-` sends what the command reads, in which `-d` drops line breaks. */
function withInput(option: Option, input: string | undefined): Option {
  if (input === undefined || option.value !== "@-") return option;
  const isData = option.name === "data" || option.name === "data-ascii";
  return { ...option, value: isData ? input.replaceAll(/[\r\n]/g, "") : input };
}

type ReadUrl = {
  url: string;
  query: Pair[];
  user: CurlRequest["user"];
  isAssumed: boolean;
};

function readUrl(written: string | undefined): ReadUrl {
  if (written === undefined || written === "") throw new CurlError(messages.noUrl);
  const isAssumed = !/^[a-z][a-z0-9+.-]*:\/\//i.test(written);
  const full = isAssumed ? `https://${written}` : written;
  if (!/^https?:/i.test(full)) throw new CurlError(messages.notHttp);
  if (!URL.canParse(full)) throw new CurlError(messages.badUrl);
  const parsed = new URL(full);
  const { username, password, origin, pathname, search } = parsed;
  const user =
    username === "" && password === ""
      ? undefined
      : { name: decode(username), password: decode(password) };
  const query = search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "")
    .map(decodePair);
  return { url: `${origin}${pathname}`, query, user, isAssumed };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers that describe the browser that a command was copied from, or that the request sets by itself. */
const ownHeaders =
  /^(?:accept-encoding|accept-language|cache-control|connection|content-length|dnt|host|if-modified-since|if-none-match|origin|pragma|priority|referer|sec-.*|te|transfer-encoding|upgrade-insecure-requests|user-agent|:.*)$/;

function readHeaders(options: readonly Option[]) {
  // By name, of which the last one counts.
  const headers = new Map<string, string>();
  const cookies: Pair[] = [];
  const ignored: string[] = [];
  let contentType: string | undefined;
  for (const { name: option, value: written } of options) {
    if (option === "oauth2-bearer") headers.set("authorization", `Bearer ${written}`);
    if (option === "cookie" && written.includes("=")) cookies.push(...readCookies(written));
    if (option === "json" && !headers.has("accept")) headers.set("accept", "application/json");
    if (option !== "header") continue;
    const [, name = "", value = ""] = /^([^:;]+|:[^:]+)[:;]\s*([^]*)$/.exec(written.trim()) ?? [];
    const lower = name.trim().toLowerCase();
    if (lower === "" || value.trim() === "") continue;
    if (lower === "content-type") contentType = value.trim();
    else if (lower === "cookie") cookies.push(...readCookies(value));
    else if (ownHeaders.test(lower)) ignored.push(lower);
    else if (!/^[\w!#$%&'*+.^`|~-]+$/.test(lower)) throw new CurlError(messages.badHeader(lower));
    else headers.set(lower, value.trim());
  }
  const basic = decodeBasic(headers.get("authorization") ?? "");
  if (basic !== undefined) headers.delete("authorization");
  return {
    headers: [...headers].map(([name, value]) => ({ name, value })),
    cookies,
    basic,
    ignored: [...new Set(ignored)],
    contentType,
  };
}

/** The user and password of an `Authorization` header; undefined if it has none. */
function decodeBasic(header: string): CurlRequest["user"] {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(header.trim()) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return userOf(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function readCookies(text: string): Pair[] {
  return text.split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trimStart();
    return name === "" || /\s/.test(name) ? [] : [{ name, value: pair.slice(at + 1).trimEnd() }];
  });
}

function userOf(text: string | undefined): CurlRequest["user"] {
  if (text === undefined || text === "" || text === ":") return undefined;
  const [, name = "", password = ""] = /^([^:]*):?([^]*)$/.exec(text) ?? [];
  return { name, password };
}

function methodOf(
  given: string | undefined,
  { has, body }: { has: (...names: string[]) => boolean; body: RequestBody },
): Method {
  const usual = has("upload-file") ? "PUT" : body.kind === "none" ? "GET" : "POST";
  const method = (given ?? (has("head") ? "HEAD" : usual)).toUpperCase();
  const known = methods.find((one) => one === method);
  if (known === undefined) throw new CurlError(messages.badMethod(method));
  return known;
}

const weakening = ["insecure", "proxy", "cert", "key", "resolve", "connect-to", "unix-socket"];

function noteOptions(options: readonly Option[]): string[] {
  const names = weakening.filter((name) => options.some((option) => option.name === name));
  return names.length === 0 ? [] : [messages.ignoredOptions(names.map((name) => `--${name}`))];
}
