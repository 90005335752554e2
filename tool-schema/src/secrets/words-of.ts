/** Letters of other scripts that look like Latin ones, in pairs. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  "аaсcеeоoрpхxуyіiѕsјjԁdһhкkмmтtвbԝwԛqɡgıiɑaαaοoρpνvκkιiτtυuωwεe"
    .match(/../gu)
    ?.map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
);

/** A text in small letters, without accents, with Latin letters for those that look like them. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => lookAlikes.get(letter) ?? letter)
    .normalize("NFC");
}

/**
 * The words of a name, in small letters and without numbers: `user[newPassword2]` has the words user, new and password. Spelled
 * letters are one word.
 */
export function wordsOf(name: string, maxLength = 200): string[] {
  const start = name.slice(0, maxLength);
  const words = (isAscii(start) ? splitAscii(start) : splitText(start, maxLength)) ?? [];
  return words.length > 2 && words.every((word) => word.length === 1) ? [words.join("")] : words;
}

/** Most names are ASCII, for which the rest is needless, and a body may have thousands of them. */
export function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

function splitAscii(name: string) {
  const apart = name
    .replaceAll(/(?<!\d)2[-_ ]?fa(?![a-z])/gi, " mfa ")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  return apart.toLowerCase().match(/[a-z]+/g);
}

function splitText(name: string, maxLength: number) {
  const apart = name
    .normalize("NFKC")
    // A single character may be a whole sentence in this form.
    .slice(0, maxLength)
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/(?<!\d)2[-_ ]?fa(?![a-z])/gi, " mfa ")
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return foldText(apart).match(/\p{L}+/gu);
}
