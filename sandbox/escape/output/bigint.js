export const attempt = {
  tries: "to return a BigInt",
  refusedBecause: "JSON refuses it, and the wrapper says where",
  ends: { code: "invalid_output", message: "BigInt at output\\.n" },
};

export default () => ({ n: 1n });
