export const attempt = {
  tries: "to block the service with text that looks like imports",
  blockedBecause: "at most 4,000 characters are examined for each",
  refused: "must name a package as a string",
};

export default () => ({ is: "refused", length: `FULL_OF_IMPORTS`.length });
