export const attempt = {
  tries: "to return text with lone surrogates",
  blockedBecause: "JSON escapes them",
  ends: { says: "ud800" },
};

export default () => ["\ud800", "\udc00\ud800", { "\udfff": "\0" }];
