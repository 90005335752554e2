/** Why a command could not be read. */
export const empty = "Paste a curl command.";
export const tooLong = (maxLength: number) =>
  `The command has more than ${maxLength / 1024} kB. Shorten its body.`;
export const longPath = (maxSegments: number, maxLength: number) =>
  `The path of the URL has more than ${maxSegments} segments or ${maxLength} characters.`;
export const tooManyValues = (max: number) =>
  `The command has more than ${max} values. Remove headers, parameters or fields of its body.`;
export const tooManyOptions = (max: number) => `The command has more than ${max} options.`;
export const notCurl = (word: string) =>
  `The command must start with "curl", not with "${word.slice(0, 30)}".`;
export const powerShell =
  'This is a command for PowerShell. In the browser, choose "Copy as cURL (bash)" instead.';
export const openQuote = (quote: string) => `A quotation mark (${quote}) is not closed.`;
export const missingValue = (option: string) => `The option ${option} needs a value.`;
export const noUrl = "The command contains no URL.";
export const badUrl = "The URL of the command is not valid.";
export const notHttp = "Only URLs with https:// or http:// can become tools.";
export const badMethod = (method: string) =>
  `Tools cannot send requests of the method ${method.slice(0, 20)}.`;
export const bodyNotSent = (method: string) =>
  `A request of the method ${method} has no body in a tool.`;
export const fileInForm = (name: string) =>
  `The text of the form field "${name}" is read from a file, which tools cannot do.`;
export const badHeader = (name: string) => `The header "${name.slice(0, 60)}" is not valid.`;

/** What was read differently from curl. */
export const onlyFirst = "Only the first command was read.";
export const onlyFirstUrl = "Only the first URL was read.";
export const assumedHttps = "The URL has no scheme, so https:// is used.";
export const ignoredHeaders = (names: readonly string[]) =>
  `Headers that describe a browser are left out: ${names.join(", ")}.`;
export const ignoredOptions = (names: readonly string[]) =>
  `Options without effect in a tool: ${names.join(", ")}.`;
export const otherSignIn = (option: string) =>
  `The sign-in of ${option} is not supported, so the tool sends none.`;
export const typesOfParts = (names: readonly string[]) =>
  `The media types of these form fields are left out: ${names.join(", ")}.`;
