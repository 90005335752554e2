export const attempt = {
  tries: "to return a symbol",
  blockedBecause: "it cannot be serialized as JSON",
  ends: { code: "invalid_output", message: "symbol" },
};

export default () => Symbol("a");
