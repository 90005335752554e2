/** The files of the typeface, and the characters of each. Browsers load the second when a page has one of its letters. */
const faces = [
  {
    file: "inter-latin.woff2",
    range:
      "U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212,U+FFFD",
  },
  {
    file: "inter-latin-ext.woff2",
    range: "U+0100-0130,U+0132-0151,U+0154-024F,U+1E00-1EFF,U+20A0-20AB,U+20AD-20BF",
  },
] as const;

export type FontFile = (typeof faces)[number]["file"];

/** The rules that load the typeface of `tokens`. Files without a URL are left out. */
export function fontFaces(urlOf: (file: FontFile) => string | undefined): string {
  return faces
    .map(({ file, range }) => {
      const url = urlOf(file);
      return url === undefined
        ? ""
        : `@font-face{font-family:"Inter Variable";font-display:swap;font-weight:400 600;src:url("${url}") format("woff2");unicode-range:${range}}\n`;
    })
    .join("");
}
