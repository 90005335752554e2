/** Runs of Latin letters, digits, white space, and everything else. */
const parts = /\p{Script=Latin}+|\p{Nd}+|\s+|[^\p{Script=Latin}\p{Nd}\s]+/gu;
/** Pieces of a word such as `inputSchema`. */
const pieces = /\p{Lu}?\p{Ll}+|\p{Lu}+|\p{L}/gu;
const alphabets =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]/u;
const emoji = /\p{Extended_Pictographic}/u;
const syllables =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const wordCharacters = 8;
/** No word of the vocabulary has so many in a row. */
const consonants = /[b-df-hj-np-tv-xz]{4,}/gi;
/** No text has more characters per token for long. */
const maxCharactersPerToken = 8;

/**
 * About the number of tokens that a language model reads for a text, by rules that were compared with the vocabulary
 * o200k_base: up to a fifth too high for English and JSON, rarely too low. Stops counting above `max`.
 */
export function estimateTokens(text: string, max = Infinity): number {
  if (text.length > max * maxCharactersPerToken)
    return Math.ceil(text.length / maxCharactersPerToken);
  let sum = 0;
  for (const [part] of text.matchAll(parts)) {
    sum += tokensOf(part);
    if (sum > max) break;
  }
  return Math.ceil(sum);
}

function tokensOf(part: string): number {
  if (/^\p{Script=Latin}/u.test(part)) return tokensOfWord(part);
  if (/^\p{Nd}/u.test(part)) return Math.ceil(part.length / 3);
  // A space belongs to the word after it, and several are one token, but only if they are the same.
  if (/^\s/.test(part)) return part === " " ? 0 : 1 + part.replaceAll(/ +/g, "").length;
  if (isAscii(part)) return part.length <= 4 ? 1 : part.length / 2;
  let sum = 0;
  for (const character of part) sum += tokensOfCharacter(character);
  return sum;
}

function tokensOfCharacter(character: string): number {
  if (alphabets.test(character)) return 0.5;
  if (syllables.test(character)) return 1;
  const bytes = Buffer.byteLength(character);
  return bytes < 4 || emoji.test(character) ? bytes / 2 : bytes;
}

function tokensOfWord(word: string): number {
  let sum = 0;
  for (const [piece] of word.matchAll(pieces)) {
    const isAcronym = piece === piece.toUpperCase();
    if (isAcronym) sum += Math.max(1, piece.length / 3);
    else sum += piece.length <= wordCharacters ? 1 : piece.length / 5;
    for (const [run] of piece.matchAll(consonants)) sum += run.length / 2 - 1;
    // Half a token for each accented letter, and one for a letter of three bytes, such as a wide one.
    sum += (Buffer.byteLength(piece) - piece.length) / 2;
  }
  return sum;
}

function isAscii(text: string): boolean {
  return /^[\t-~]*$/.test(text);
}
