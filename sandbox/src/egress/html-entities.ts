/** A node in the trie of entity names. `codePoint` is set after the final `;`. */
export type EntityNode = { next: Map<number, EntityNode>; codePoint?: number };

/** Names of ASCII characters in HTML. */
const ASCII: Readonly<Record<string, string>> = {
  "\t": "Tab",
  "\n": "NewLine",
  "!": "excl",
  '"': "quot QUOT",
  "#": "num",
  $: "dollar",
  "%": "percnt",
  "&": "amp AMP",
  "'": "apos",
  "(": "lpar",
  ")": "rpar",
  "*": "ast midast",
  "+": "plus",
  ",": "comma",
  ".": "period",
  "/": "sol",
  ":": "colon",
  ";": "semi",
  "<": "lt LT",
  "=": "equals",
  ">": "gt GT",
  "?": "quest",
  "@": "commat",
  "[": "lsqb lbrack",
  "\\": "bsol",
  "]": "rsqb rbrack",
  "^": "Hat",
  _: "lowbar UnderBar",
  "`": "grave",
  "{": "lcub lbrace",
  "|": "verbar vert",
  "}": "rcub rbrace",
};

/** Names of Latin-1 characters from U+00A0 to U+00FF. */
const LATIN_1 = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml
ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig
agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`;

/** The recognized named entities, by what follows `&`. */
export const ENTITIES: EntityNode = { next: new Map() };

for (const [character, names] of Object.entries(ASCII)) {
  for (const name of names.split(" ")) addEntity(name, character.charCodeAt(0));
}
for (const [index, name] of LATIN_1.split(/\s/).entries()) addEntity(name, 0xa0 + index);
addEntity("euro", 0x20ac);

function addEntity(name: string, codePoint: number): void {
  let node = ENTITIES;
  for (const byte of Buffer.from(`${name};`)) {
    node = node.next.getOrInsertComputed(byte, () => ({ next: new Map() }));
  }
  node.codePoint = codePoint;
}
