export const attempt = {
  tries: "to forge internal frames in its stack",
  blockedBecause: "the stack is text that is truncated and attributed to the tool",
  ends: { code: "tool_error", message: "mine" },
};

Error.prepareStackTrace = () => `at /work/server.ts:1:1\n${"x".repeat(1e5)}`;
export default () => {
  throw new Error("mine");
};
