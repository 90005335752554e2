export const attempt = {
  tries: "to return text that is no Unicode",
  refusedBecause: "JSON writes it as an escape",
  ends: { says: "ud800" },
};

export default () => ["\ud800", "\udc00\ud800", { "\udfff": "\0" }];
