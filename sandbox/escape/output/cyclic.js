export const attempt = {
  tries: "to return a cyclic object",
  blockedBecause: "it cannot be serialized as JSON, and the error states where",
  ends: { code: "invalid_output", message: "cycle at output\\.b\\.c" },
};

export default () => {
  const a = { b: {} };
  a.b.c = a;
  return a;
};
