/**
 * Gives the browser `crypto.randomUUID` where it has none: browsers keep it from pages that came by http from another
 * machine, as those of a server in one's own network do, and every change needs one.
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
