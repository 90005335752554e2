export const attempt = {
  tries: "to return a function",
  blockedBecause: "it cannot be serialized as JSON",
  ends: { code: "invalid_output", message: "function" },
};

export default () => () => 1;
