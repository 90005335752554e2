/** The number of first bytes that {@link imageTypeOf} reads. */
export const signatureBytes = 16;

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Detects an image type that browsers show without running code, by its first bytes. Null for all other types. SVG is one of
 * them, because it may contain scripts.
 */
export function imageTypeOf(start: Buffer): string | null {
  if (startsWith(start, png)) return "image/png";
  if (startsWith(start, jpeg)) return "image/jpeg";
  const head = start.toString("latin1");
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  if (/^RIFF.{4}WEBP/s.test(head)) return "image/webp";
  return null;
}

function startsWith(bytes: Buffer, signature: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}
