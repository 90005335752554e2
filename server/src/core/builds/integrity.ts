/** A digest that an archive must have. */
export type Integrity = { algorithm: "sha512" | "sha384" | "sha256" | "sha1"; hex: string };

const algorithms = ["sha512", "sha384", "sha256", "sha1"] as const;
const digestBytes = { sha512: 64, sha384: 48, sha256: 32, sha1: 20 } as const;

/** The strongest digest of a Subresource Integrity text; undefined when it names none. */
export function parseIntegrity(text: string): Integrity | undefined {
  const entries = text.split(/\s+/);
  for (const algorithm of algorithms) {
    for (const entry of entries) {
      const base64 = entry.startsWith(`${algorithm}-`) ? entry.slice(algorithm.length + 1) : "";
      const digest = Buffer.from(base64.split("?")[0] ?? "", "base64");
      if (digest.length === digestBytes[algorithm])
        return { algorithm, hex: digest.toString("hex") };
    }
  }
  return undefined;
}
