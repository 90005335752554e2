type Input = {
  kind: "password" | "token" | "uuid" | "hash";
  count?: number;
  length?: number;
  symbols?: boolean;
  text?: string;
  algorithm?: "SHA-256" | "SHA-384" | "SHA-512";
};

type Output = { values: string[]; entropyBits?: number };

// Without 0 O 1 l I, which are easily confused.
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const digits = "23456789";
const symbols = "!#$%&*+-=?@_";

/** Generates random values with the platform's cryptographic generator, or the hash of a text. */
export default async function secretGenerator(input: Input): Promise<Output> {
  const { kind, count = 1 } = input;
  if (kind === "hash") {
    if (input.text === undefined) throw new Error('"hash" needs "text": the text to hash.');
    return { values: [await hash(input.text, input.algorithm ?? "SHA-256")] };
  }
  if (kind === "uuid") {
    return { values: times(count, () => crypto.randomUUID()), entropyBits: 122 };
  }
  if (kind === "token") {
    const bytes = input.length ?? 32;
    return { values: times(count, () => token(bytes)), entropyBits: bytes * 8 };
  }
  const length = input.length ?? 20;
  const alphabet = letters + digits + ((input.symbols ?? true) ? symbols : "");
  return {
    values: times(count, () => password(alphabet, length)),
    entropyBits: Math.floor(length * Math.log2(alphabet.length)),
  };
}

function times<Value>(count: number, make: () => Value): Value[] {
  return Array.from({ length: count }, make);
}

function password(alphabet: string, length: number): string {
  let result = "";
  while (result.length < length) result += alphabet[randomBelow(alphabet.length)] ?? "";
  return result;
}

/** Rejection sampling: a plain remainder would favor the first characters. */
function randomBelow(limit: number): number {
  const fair = 256 - (256 % limit);
  const byte = new Uint8Array(1);
  do crypto.getRandomValues(byte);
  while ((byte[0] ?? 0) >= fair);
  return (byte[0] ?? 0) % limit;
}

function token(bytes: number): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}

async function hash(text: string, algorithm: string): Promise<string> {
  const digest = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
