const secretNames =
  /(?:^|[-_.])(?:api[-_]?key|apikey|access[-_]?key|app[-_]?key|auth[-_]?key|private[-_]?key|subscription[-_]?key|key|token|authtoken|jwt|secret|passw(?:or)?d|pwd|pass|passphrase|passcode|otp|totp|pin|cvv|cvc|auth|authorization|credentials?|signature|sig|session|sessionid|sid|bearer)$/i;
const plainNames =
  /(?:page|next|continuation|cursor|sync|idempotency|sort|primary|foreign|partition|public)[-_]?(?:token|key)$/i;

/** Forms of secrets of well-known services, whatever they are named. */
const secretForms = [
  /(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[\w-]{16,}/,
  /gh[opsur]_\w{30,}/,
  /github_pat_\w{20,}/,
  /glpat-[\w-]{16,}/,
  /xox[abeoprs]-[\w-]{10,}/,
  /xapp-[\w-]{10,}/,
  /AKIA[A-Z0-9]{12,}/,
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
]
  .map((form) => form.source)
  .join("|");
const secretValues = new RegExp(`^(?:${secretForms})$`);
/** One starts only where a word does, also behind `%20` and `\n`, so that a long word is read once. */
const secretsInText = new RegExp(
  String.raw`(?:(?<![\w-])|(?<=%[\dA-Fa-f]{2}|\\[bfnrt]))(?:${secretForms})`,
  "g",
);

/** Whether a value with this name is likely a secret. `userToken` is read as `user_Token`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/^x-/i, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/\[\]$/, "");
  return secretNames.test(words) && !plainNames.test(words);
}

/** Whether a value is a secret, or a text with one, such as XML or a query of GraphQL. */
export function isSecretValue(value: unknown): boolean {
  return typeof value === "string" && (isWholeSecret(value) || hasNamedSecret(value));
}

export function isWholeSecret(value: string): boolean {
  return secretValues.test(value.trim());
}

/** Elements and attributes of XML, and arguments of GraphQL. */
const namedValues =
  /<(?:[\w-]{1,60}:)?([\w.-]{1,60})(?:\s[^<>]{0,500})?>([^<]{1,2000})<|\b([\w.-]{1,60})\\?"?\s{0,9}[:=]\s{0,9}\\?["']([^"'\\]{1,2000})/g;

function hasNamedSecret(text: string): boolean {
  return text.matchAll(namedValues).some(([, element, content, argument, quoted]) => {
    const name = element ?? argument ?? "";
    const value = (content ?? quoted ?? "").trim();
    // In a body, "key" is often the name of something.
    const isNamed = isSecretName(name) && !/^key$/i.test(name);
    return isNamed && value !== "" && !isPlaceholder(value);
  });
}

/** The text with its secrets of known forms replaced, wherever they are in it. */
export function replaceSecrets(text: string, replace: (at: number) => string): string {
  let count = 0;
  return text.replaceAll(secretsInText, () => {
    count += 1;
    return replace(count);
  });
}

/** What documentation and scripts write in the place of a value: `$TOKEN`, `{id}`, `<key>`, `YOUR_API_KEY`. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return (
    /^(?:\$\{?\w+\}?|\$\([^()]*\)|`[^`]*`|\{\{?[^{}]*\}?\}|<[^<>]*>|\[[\w\s-]+\]|%\w+%|:\w+)$/.test(
      text,
    ) ||
    /^(?:your|my|insert|replace|enter)[-_ ]|^(?:x{3,}|\*{3,}|\.{3,}|…)$|(?:api[-_]?key|token|secret|password)[-_]?(?:here|value)$|^(?:api[-_]?key|access[-_]?token|token|secret|password)$/i.test(
      text,
    )
  );
}
