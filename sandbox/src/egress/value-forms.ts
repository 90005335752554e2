/** Minimum length of a value's prefix that is looked for at the end of a URL. */
const MIN_BEFORE_HASH = 8;
/** Shorter forms occur by chance. */
const MIN_LENGTH = 4;

/**
 * A value, and its forms after transport: HTML forms send line breaks as CR LF, URLs drop them, and headers drop spaces
 * at both ends.
 */
export function formsOf(value: string): string[] {
  const lines = value.replace(/\r\n?/g, "\n");
  const forms = [value, lines, lines.replaceAll("\n", "\r\n"), withoutBreaks(value)];
  return [...new Set([...forms, ...forms.map((form) => form.trim())])];
}

/**
 * What remains of a value that is put into a URL without encoding: a backslash becomes a slash, and everything from the
 * first `#` is not sent. The searched texts end the URL with `#`.
 */
export function addressFormsOf(value: string): string[] {
  const inAddress = withoutBreaks(value).trim();
  const forms = [inAddress, inAddress.replaceAll("\\", "/")].flatMap((form) => {
    const hash = form.indexOf("#");
    const isCut = hash >= MIN_BEFORE_HASH;
    return isCut ? [form, form.slice(0, hash + 1)] : [form];
  });
  return [...new Set(forms)].filter((form) => form.length >= MIN_LENGTH && form !== value);
}

/** Bytes of a value in encodings other than UTF-8. */
export function otherEncodingsOf(value: string): { latin1: Buffer[]; utf16: Buffer[] } {
  const littleEndian = Buffer.from(value, "utf16le");
  const bigEndian = Buffer.from(littleEndian).swap16();
  // oxlint-disable-next-line no-control-regex
  const isLatin1 = /^[\0-\xff]*$/.test(value) && /[\x80-\xff]/.test(value);
  return {
    latin1: isLatin1 ? [Buffer.from(value, "latin1")] : [],
    utf16: [littleEndian, bigEndian],
  };
}

function withoutBreaks(value: string): string {
  return value.replace(/[\t\r\n]/g, "");
}
