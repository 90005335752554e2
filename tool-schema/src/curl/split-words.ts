import { CurlError } from "./curl-error.ts";
import * as messages from "./messages.ts";

export type Words = {
  words: string[];
  /** Whether another command follows: after a pipe, a semicolon or a line break. */
  hasMore: boolean;
  /** The text that the command reads from a here-document. */
  input?: string;
};

/** Splits the first command of a shell into its words, as Bash does, or the Windows command line if the text is escaped for it. */
export function splitWords(text: string): Words {
  return isForWindows(text) ? splitWindows(text) : new Splitter(text).split();
}

/** Browsers write `^"` around each word for the Windows command line. */
function isForWindows(text: string): boolean {
  return /(?:^|\s)\^?curl(?:\.exe)?\s+(?:-\S+\s+)*\^"/.test(text) || /\^\r?\n/.test(text);
}

/** State is local to one text. Variables and commands in the text are never expanded. */
class Splitter {
  readonly #text: string;
  #at = 0;
  #word = "";
  /** Whether there is a word, which may be empty: `""`. */
  #isOpen = false;
  readonly #words: string[] = [];
  /** The line that ends a here-document, until the document was read. */
  #delimiter: string | undefined;
  #input: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  split(): Words {
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? "";
      if (/[;|&\n]/.test(character)) {
        this.#end();
        if (character === "\n" && this.#delimiter !== undefined) this.#readInput();
        if (this.#words.length > 0) break;
        this.#at += 1;
      } else if (/\s/.test(character)) {
        this.#end();
        this.#at += 1;
      } else if (character === "#" && !this.#isOpen) this.#skipLine();
      else if (/[<>]/.test(character)) this.#skipRedirection();
      else this.#readPart(character);
    }
    this.#end();
    const rest = this.#text.slice(this.#at);
    const hasMore = /[^\s;&|]/.test(rest);
    return {
      words: this.#words,
      hasMore,
      ...(this.#input === undefined ? {} : { input: this.#input }),
    };
  }

  #end(): void {
    if (this.#isOpen) this.#words.push(this.#word);
    this.#word = "";
    this.#isOpen = false;
  }

  #skipLine(): void {
    while (this.#at < this.#text.length && this.#text[this.#at] !== "\n") this.#at += 1;
  }

  /** `2> file`: neither the number nor the file is a word of the command. */
  #skipRedirection(): void {
    // Documentation writes placeholders as <name>, which a shell would not accept.
    const placeholder = /^<[\w-]+>/.exec(this.#text.slice(this.#at, this.#at + 80))?.[0];
    if (placeholder !== undefined) {
      this.#add(placeholder, placeholder.length);
      return;
    }
    if (/^\d*$/.test(this.#word)) this.#isOpen = false;
    this.#end();
    const [sign = ""] = /^[<>]+[&|-]?[ \t]*/.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += sign.length;
    const before = this.#words.length;
    while (this.#at < this.#text.length && !/[\s;|&]/.test(this.#text[this.#at] ?? "")) {
      this.#readPart(this.#text[this.#at] ?? "");
    }
    this.#end();
    if (/^<<-?\s*$/.test(sign)) this.#delimiter = this.#words[before];
    this.#words.length = before;
  }

  #readInput(): void {
    const lines = this.#text.slice(this.#at + 1).split("\n");
    const end = lines.findIndex((line) => line.trim() === this.#delimiter);
    const read = end === -1 ? lines : lines.slice(0, end);
    this.#input = read.join("\n");
    this.#at += this.#input.length + (this.#delimiter?.length ?? 0) + 2;
    this.#delimiter = undefined;
  }

  #readPart(character: string): void {
    if (character === "'") this.#add(...this.#single());
    else if (character === '"') this.#double();
    else if (character === "$" && this.#text[this.#at + 1] === "'") this.#ansi();
    else if (character === "\\") this.#escape();
    else this.#add(character, 1);
  }

  #add(part: string, length: number): void {
    this.#word += part;
    this.#isOpen = true;
    this.#at += length;
  }

  #single(): [string, number] {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end === -1) throw new CurlError(messages.openQuote("'"));
    return [this.#text.slice(this.#at + 1, end), end + 1 - this.#at];
  }

  #double(): void {
    this.#add("", 1);
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new CurlError(messages.openQuote('"'));
      if (character === '"') break;
      const next = this.#text[this.#at + 1] ?? "";
      if (character === "\\" && next === "\n") this.#add("", 2);
      else if (character === "\\" && /["\\$`]/.test(next)) this.#add(next, 2);
      else this.#add(character, 1);
    }
    this.#add("", 1);
  }

  /** Chromium writes bodies with special characters as `$'…'`. */
  #ansi(): void {
    const end = /(?:[^'\\]|\\[^])*'/y;
    end.lastIndex = this.#at + 2;
    const [quoted] = end.exec(this.#text) ?? [];
    if (quoted === undefined) throw new CurlError(messages.openQuote("$'"));
    this.#add(unescapeAnsi(quoted.slice(0, -1)), quoted.length + 2);
  }

  #escape(): void {
    const next = this.#text[this.#at + 1] ?? "";
    // Copied commands may have spaces after the backslash that continues a line.
    const [continuation] = /^\\[ \t]*\r?\n/.exec(this.#text.slice(this.#at, this.#at + 200)) ?? [];
    if (continuation !== undefined) this.#at += continuation.length;
    else if (next === "") this.#at += 1;
    else this.#add(next, 2);
  }
}

const controls: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001B",
  E: "\u001B",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function unescapeAnsi(text: string): string {
  const escape = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3})|([^]))/gi;
  return text.replaceAll(escape, (...[whole, x, u, long, octal, other]: string[]) => {
    const hex = x ?? u ?? long;
    const code = hex === undefined ? parseInt(octal ?? "", 8) : parseInt(hex, 16);
    if (other !== undefined) return controls[other] ?? other;
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : (whole ?? "");
  });
}

/** Removes the carets of the command processor, then splits as Windows programs do. */
function splitWindows(text: string): Words {
  const plain = text
    .replaceAll(/\^\r?\n\s*(?=-|\^?")/g, " ")
    .replaceAll(/\^(\r?\n)\r?\n?/g, "$1")
    .replaceAll(/\^([^])/g, "$1");
  const words: string[] = [];
  const pattern = /(?:[^\s"]|"(?:[^"\\]|\\[^]|"")*"?)+/g;
  for (const [word] of plain.matchAll(pattern)) {
    const quoted = word.replaceAll(/"((?:[^"\\]|\\[^]|"")*)"?/g, (_, inner: string) =>
      inner.replaceAll('""', '"').replaceAll(/\\(["\\])/g, "$1"),
    );
    words.push(quoted);
  }
  return { words, hasMore: false };
}
