export const attempt = {
  tries: "to return a BigInt",
  blockedBecause: "it cannot be serialized as JSON, and the error states where",
  ends: { code: "invalid_output", message: "BigInt at output\\.n" },
};

export default () => ({ n: 1n });
