import { foldText, isAscii, wordsOf } from "./words-of.ts";

/** The folded words of a list. */
export const setOf = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/).map((word) => foldText(word)));

/** Names that mean a secret wherever they are in another name, also when it is written as one word. */
const unmistakable =
  /pass?wor[dt]|passphrase|passcode|passkey|kennwort|contrasena|motdepasse|wachtwoord|apikey|(?:private|secret|access)key|(?:access|auth|refresh|bearer)token|clientsecret|creditcardn|seedphrase|socialsecurity|onetime(?:code|password|pin)/;
const inOtherScripts = new RegExp(foldText("пароль|密码|密碼|パスワード|비밀번호"));

/** Words that are a secret unless a word for one of its attributes follows. */
const secretWords = setOf(
  `token secret secrets credential credentials creds jwt bearer authorization otp totp cvv cvc passwd pwd psw mfa tfa ssn
  mnemonic sessionid sessid jsessionid phpsessid authkey cardnumber creditcard geheimnis senha haslo parola`,
);
/** Words that were written as one. */
const joinedWords =
  /(?:pwd|passwd|secret)$|^(?:user|db|smtp|my|root|admin|login)pass$|^(?:api|app|id|user|session|csrf|xsrf|bot|device|security|oauth|login)tokens?$/;
/** Words that are a secret at the end of a name. */
const lastWords = setOf("pin cookie cookies csc csrf xsrf tokens");
/** Words that have other meanings as well, so that only the name of a value is a secret by them. */
const ambiguousWords = setOf("auth pass pw pat session sid sig signature hmac key");

/** Pairs of words: what precedes `key`, `code` and so on in the name of a secret. */
const qualifiers = new Map(
  Object.entries({
    key: setOf(
      `api access app application auth private secret subscription encryption signing master service shared account consumer
    deploy ssh gpg pgp rsa recovery security webhook admin`,
    ),
    keys: setOf("api access private secret"),
    code: setOf(
      "security verification mfa tfa otp totp factor onetime backup recovery login sms pin access authenticator authorization cvv",
    ),
    codes: setOf("backup recovery mfa security"),
    phrase: setOf("seed recovery pass secret mnemonic backup"),
    word: setOf("pass"),
    number: setOf("card cc pin cvv"),
    no: setOf("card"),
    id: setOf("session sess secret"),
    assertion: setOf("client saml"),
    response: setOf("saml"),
  }),
);

/** What of a secret is none: its length, its type and so on. */
export const attributes = setOf(
  `count counts length len size limit limits type types name names label title description url uri endpoint path policy policies
  expiry expires expiration expired ttl lifetime age duration timeout min max usage used budget required enabled disabled reset
  change changed updated created date time format strength version status state level mode method page list manager provider owner
  email username index kind scope scopes rotation rules requirements less protected id ids per symbol
  address amount decimals balance price pair contract standard supply in out`,
);
/** Words before one that make it the name of a choice or of a number. */
const choices = setOf(
  `is has should needs requires require enable show hide allow forgot forget num number count max min total maximum minimum`,
);
/** Tokens and keys that are positions in a list. */
const positions = setOf(
  "page next previous prev continuation cursor sync pagination start idempotency resume skip offset change delta scroll position",
);
/** What precedes a word that is no secret then: keys that are names, pins on a map, and tokens of a text. */
const plainQualifiers = new Map(
  Object.entries({
    key: setOf(
      `sort primary foreign partition public object issue project cache group order row hash range map lookup natural composite
      unique search translation parent json field column menu shortcut hot musical storage`,
    ),
    pin: setOf("map board gpio drop location safety"),
    token: setOf("stop special eos bos pad"),
    tokens: setOf(
      "prompt completion input output cached reasoning stop special eos bos pad used remaining",
    ),
  }),
);
/** What may follow the last word of a secret. */
const suffixes = setOf(
  `value values text string header raw plain hash confirmation confirm again repeat input data encoded please here
  dev prod production staging stage test testing sandbox live local demo admin user main default secondary`,
);

/** What a name without accents contains if it is that of a secret. */
const candidates = new RegExp(
  [
    ...secretWords,
    ...lastWords,
    ...ambiguousWords,
    ...qualifiers.keys(),
    unmistakable.source,
    "fa",
  ].join("|"),
);

function isCandidate(name: string): boolean {
  return !isAscii(name) || candidates.test(name.toLowerCase().replaceAll(/[^a-z]/g, ""));
}

type Kind = "secret" | "text" | "ambiguous";

/**
 * Whether a value with this name is likely a secret. A number is none under a name such as `tokens`, which counts something.
 * A lone `key` is mostly a name of something in a body, so callers decide about it.
 */
export function isSecretName(name: string, value?: unknown): boolean {
  const kind = isCandidate(name) ? kindOf(wordsOf(name)) : undefined;
  return kind !== undefined && !(kind === "text" && typeof value === "number");
}

/** Whether a label requests a secret. Words such as "session" or "signature", which have other meanings, are none. */
export function isSecretLabel(label: string, type = "string"): boolean {
  if (unmistakable.test(withoutDigits(label))) return true;
  const kind = kindOf(wordsOf(label));
  return kind === "secret" || (kind === "text" && type === "string");
}

const digits: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  "@": "a",
  $: "s",
};

/** `passw0rd` with letters in the place of the digits; empty for a name without digits between letters. */
function withoutDigits(name: string): string {
  const text = foldText(name.slice(0, 200));
  return /[a-z][01345@$]+[a-z]/.test(text) && !unmistakable.test(text)
    ? text.replaceAll(/[01345@$]/g, (digit) => digits[digit] ?? "")
    : "";
}

function kindOf(words: readonly string[]): Kind | undefined {
  const [first = ""] = words;
  if (words.length > 1 && choices.has(first)) return undefined;
  if (isUnmistakable(words)) return "secret";
  let found: Kind | undefined;
  for (const at of words.keys()) {
    const kind = kindAt(words, at);
    if (kind === "secret") return kind;
    found ??= kind;
  }
  return found;
}

/** Whether words are a secret however they are spelled, unless the word behind them makes them something else. */
export function isUnmistakable(words: readonly string[], next?: string): boolean {
  const compact = words.join("");
  const found = unmistakable.exec(compact) ?? inOtherScripts.exec(compact);
  if (found === null) return false;
  const end = found.index + found[0].length;
  let length = 0;
  const following = words.find((word) => (length += word.length) - word.length >= end) ?? next;
  const tail = words.length === 1 ? compact.slice(end).replace(/^s/, "") : "";
  return !attributes.has(following ?? "") && !attributes.has(tail);
}

const unmistakableEnd = new RegExp(`(?:${unmistakable.source})s?$`);

/** Whether words end with a secret that is written as several, such as "mot de passe". */
export function endsUnmistakable(words: readonly string[]): boolean {
  return unmistakableEnd.test(words.join("").slice(-200));
}

/** What the word at this position means in a name that consists of all words. */
export function kindAt(words: readonly string[], at: number): Kind | undefined {
  const [word = "", before = "", next = ""] = [words[at], words[at - 1], words[at + 1]];
  const isKeyId = word === "key" && next === "id";
  if (isPlain(words, at) || (attributes.has(next) && !isKeyId)) return undefined;
  if (secretWords.has(word) || joinedWords.test(word)) return "secret";
  const rest = words.slice(isKeyId ? at + 2 : at + 1);
  if (!rest.every((one) => suffixes.has(one) || one.length === 1)) return undefined;
  if (qualifiers.get(word)?.has(before) === true) return "secret";
  if (lastWords.has(word)) return word === "tokens" ? "text" : "secret";
  return ambiguousWords.has(word) && !(word === "key" && at === 0) ? "ambiguous" : undefined;
}

function isPlain(words: readonly string[], at: number): boolean {
  const [word = "", before = ""] = [words[at], words[at - 1]];
  const isPosition = /^(?:tokens?|key)$/.test(word) && positions.has(before);
  const isCount = word === "tokens" && words.some((one) => choices.has(one));
  return isPosition || isCount || plainQualifiers.get(word)?.has(before) === true;
}
