export const attempt = {
  tries: "to return what contains itself",
  refusedBecause: "JSON refuses it, and the wrapper says where",
  ends: { code: "invalid_output", message: "cycle at output\\.b\\.c" },
};

export default () => {
  const a = { b: {} };
  a.b.c = a;
  return a;
};
