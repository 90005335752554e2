// Plain data without zod, so that the command line can load it quickly: `@toolhost/contract/tool-name`.

/** A tool's name: words of `[a-z0-9]` joined by underscores, with a suffix of four characters. */
export const toolNamePattern: RegExp = /^[a-z0-9]+(?:_[a-z0-9]+)*_[a-z0-9]{4}$/;
