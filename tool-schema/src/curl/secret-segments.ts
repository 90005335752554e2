import { isPlaceholder, isSecretName, isWholeSecret } from "../secrets/index.ts";

/** URLs that are secrets themselves: of Telegram bots, and of webhooks of Slack and Discord. */
const secretPaths: readonly { host: RegExp; segment: RegExp }[] = [
  { host: /^api\.telegram\.org$/, segment: /^(bot)(\d+:[\w-]{20,}|[^/]*TOKEN[^/]*)$/i },
  { host: /^hooks\.slack\.com$/, segment: /^()([A-Za-z0-9]{20,})$/ },
  { host: /(?:^|\.)discord(?:app)?\.com$/, segment: /^()([\w-]{50,})$/ },
];

/** The segments of a path, decoded. */
export function segmentsOf(url: string): string[] {
  return new URL(url).pathname.split("/").map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}

const maxPrefix = 100;

/** What of a segment of a path is a secret, with the text before it. `before` is the segment before. */
export function secretInSegment(
  hostname: string,
  text: string,
  before = "",
): { prefix: string; value: string } | undefined {
  const known = secretPaths.find(({ host }) => host.test(hostname));
  const [, prefix = "", value] = known?.segment.exec(text) ?? [];
  if (value !== undefined) return { prefix, value };
  if (isWholeSecret(text) || (isOneSecret(before) && isRandom(text)))
    return { prefix: "", value: text };
  return inParameter(text);
}

/** `/token/…` has a token behind it, but `/tokens/…` an ID, and `/auth/…` an operation. */
function isOneSecret(segment: string): boolean {
  return !/s$|^(?:oauth|auth)\d?$/i.test(segment) && isSecretName(segment);
}

/** A segment that is no word, such as `refresh`, and no version. */
function isRandom(text: string): boolean {
  return (
    text.length >= 8 &&
    /\d|[a-z][A-Z]/.test(text) &&
    !/^v\d|\.\w{1,5}$/.test(text) &&
    !isPlaceholder(text)
  );
}

/** `path;jsessionid=…` and `token=…` */
function inParameter(text: string): { prefix: string; value: string } | undefined {
  const [, prefix, name = "", value = ""] = /^((?:[^;]*;)?([\w.-]{1,60})=)([^]+)$/.exec(text) ?? [];
  const isSecret = prefix !== undefined && isSecretName(name) && !isPlaceholder(value);
  if (!isSecret) return undefined;
  return prefix.length > maxPrefix ? { prefix: "", value: text } : { prefix, value };
}
