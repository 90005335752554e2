import type { Json, JsonObject } from "../json.ts";
import { fromEntries, isObject, textAt } from "../json.ts";
import { isPlaceholder } from "./placeholder.ts";
import { isSecretName } from "./secret-names.ts";

/** Forms of secrets of well-known services, whatever they are named. */
const secretForms = [
  /(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[\w-]{16,}/,
  /gh[opsur]_\w{30,}/,
  /github_pat_\w{20,}/,
  /glpat-[\w-]{16,}/,
  /xox[abeoprs]-[\w-]{10,}/,
  /xapp-[\w-]{10,}/,
  /A(?:K|S)IA[A-Z0-9]{12,}/,
  /AIza[\w-]{30,}/,
  /ya29\.[\w-]{20,}/,
  /eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?/,
  /SG\.[\w-]{16,}\.[\w-]{16,}/,
  /shp(?:at|ca|pa|ss)_\w{20,}/,
  /npm_\w{30,}/,
  /hf_\w{20,}/,
  /dop_v1_\w{30,}/,
  /lin_api_\w{20,}/,
  /(?:ntn|secret)_\w{30,}/,
  /pat[\w-]{10,}\.[\w]{20,}/,
  /(?:dckr_pat_|glptt-|figd_|sntrys_|whsec_|gsk_|sbp_|tvly-|pplx-|lin_oauth_)[\w+/=-]{20,}/,
  /(?:ATATT3|pypi-|hvs\.|PMAK-|NRAK-)[\w=-]{24,}/,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
]
  .map((form) => form.source)
  .join("|");
const secretValues = new RegExp(`^(?:${secretForms})$`);
/** One starts only where a word does, also behind `%20` and `\n`, so that a long word is read once. */
const startOfWord = String.raw`(?:(?<![\w-])|(?<=%[\dA-Fa-f]{2}|\\[bfnrt]))`;
const secretInText = new RegExp(`${startOfWord}(?:${secretForms})`);
const secretsInText = new RegExp(secretInText.source, "g");

/** A name, a sign and a value. */
const minLength = 5;
/** A URL in a parameter of a URL in another is encoded twice. */
const maxLevels = 3;

/** Whether a value is a secret, or a text with one, such as XML or a query of GraphQL. */
export function isSecretValue(value: unknown, levels = maxLevels): boolean {
  if (typeof value !== "string" || value.length < minLength) return false;
  return (
    secretInText.test(value) ||
    splitScheme(value) !== undefined ||
    (value.includes("://") && hasUserinfo(value)) ||
    (/[:=<]/.test(value) && hasNamedSecret(value)) ||
    (levels > 0 && isSecretValue(decode(value), levels - 1))
  );
}

/** The text without the encoding of URLs; undefined for a text that has none. */
function decode(text: string): string | undefined {
  if (!/%[\dA-F]{2}/i.test(text)) return undefined;
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? undefined : decoded;
  } catch {
    return undefined;
  }
}

export function isWholeSecret(value: string): boolean {
  return secretValues.test(value.trim());
}

/** The scheme and the secret of a value such as `Bearer abc`, as the header `Authorization` has; undefined for another text. */
export function splitScheme(value: string): { prefix: string; secret: string } | undefined {
  const [, prefix, secret] =
    /^\s*((?:bearer|basic|token|api-?key|key|ssws|geniekey)\s+)(\S{4,})\s*$/i.exec(value) ?? [];
  if (prefix === undefined || secret === undefined || isPlaceholder(secret)) return undefined;
  // "Basic plan" and "Token ring" are words.
  return /^bearer/i.test(prefix) || /\d|=$|[a-z][A-Z]/.test(secret)
    ? { prefix: prefix.trimStart(), secret }
    : undefined;
}

/** `https://user:password@host`, or a token in the place of the user. */
function hasUserinfo(text: string): boolean {
  // One class of characters, so that a long text without "@" is read once.
  return text.matchAll(/:\/\/([^\s/?#@]*)@/g).some(([, userinfo = ""]) => {
    const [user = "", ...rest] = userinfo.split(":");
    const password = rest.join(":");
    return password === "" ? user.length >= 16 : !isPlaceholder(password);
  });
}

/**
 * Elements and attributes of XML, arguments of GraphQL, and at the start of a line or parameter also values without quotes, as
 * YAML, URLs and lists of headers have. A name starts only where a word does, so that a long text is read once.
 */
const namedValues = [
  /<(?:[\w-]{1,60}:)?([\w.-]{1,60})(?:\s[^<>]*)?>(?:<!\[CDATA\[)?([^<]{1,100})/g,
  /(?<![\w.[\]-])([\w.[\]-]{1,60})\\?["']?\s{0,9}[:=]\s{0,9}\\?["'](?=([^"'\\]{1,100}))/g,
  /(?:^|[\n?&;,{"']|\\n)[ \t-]{0,9}(?:export[ \t])?([\w.[\]-]{1,60})[ \t]{0,9}[:=][ \t]{0,9}(?=([^\s"'&;,<>\\]{1,100}))/g,
];
/** Types and values that are none, as schemas and documentation have them. */
const plainValue = /^(?:string|int|integer|number|boolean|null|true|false|none|undefined)\b/i;

function hasNamedSecret(text: string): boolean {
  return namedValues.some((pattern) =>
    text.matchAll(pattern).some(([, name = "", content = ""]) => {
      const value = content.trim();
      const isValue = value !== "" && !isPlaceholder(value) && !plainValue.test(value);
      return isValue && isSecretName(name);
    }),
  );
}

/** The text with its secrets of known forms replaced, wherever they are in it. */
export function replaceSecrets(text: string, replace: (at: number) => string): string {
  let count = 0;
  return text.replaceAll(secretsInText, () => {
    count += 1;
    return replace(count);
  });
}

/** The value with empty texts in the place of secrets, and 0 in that of numbers, so that its schema stays the same. */
export function withoutSecrets(value: Json, isSecret = false): Json {
  if (typeof value === "string") return isSecret || isSecretValue(value) ? "" : value;
  if (typeof value === "number") return isSecret ? 0 : value;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isSecret));
  if (!isObject(value)) return value;
  return fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withoutSecrets(item, isSecret || isSecretMember(value, name)),
    ]),
  );
}

/** Whether a member is a secret, by its name or because the object names it: `{ "name": "password", "value": … }`. */
export function isSecretMember(object: JsonObject, name: string): boolean {
  if (isSecretName(name, object[name])) return true;
  const isValue = /^values?$/i.test(name);
  return isValue && ["name", "key", "field"].some((one) => isSecretName(textAt(object, one) ?? ""));
}
