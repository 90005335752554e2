export const attempt = {
  tries: "to overflow the stack of the runtime",
  blockedBecause: "the engine throws",
  ends: { code: "tool_error", message: "Maximum call stack" },
};

export default () => {
  const deeper = (n) => deeper(n + 1) + 1;
  return deeper(0);
};
