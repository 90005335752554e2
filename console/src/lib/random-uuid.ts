/**
 * Adds `crypto.randomUUID`, which browsers only offer in secure contexts, for pages served over plain HTTP in a local network.
 * Every write needs one for its `Idempotency-Key`.
 */
export function provideRandomUuid(target: Pick<Crypto, "getRandomValues"> = crypto): void {
  if ("randomUUID" in target) return;
  const randomUUID = () => toUuid(target.getRandomValues(new Uint8Array(16)));
  Object.defineProperty(target, "randomUUID", { value: randomUUID });
}

/** Version 4 of RFC 9562, section 5.4. */
function toUuid(bytes: Uint8Array): string {
  const marked = bytes.map((byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    return index === 8 ? (byte & 0x3f) | 0x80 : byte;
  });
  const hex = [...marked].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
