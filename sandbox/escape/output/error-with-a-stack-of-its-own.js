export const attempt = {
  tries: "to write lines of the service into its stack",
  refusedBecause: "a stack is text, cut and shown as the tool's",
  ends: { code: "tool_error", message: "mine" },
};

Error.prepareStackTrace = () => `at /work/server.ts:1:1\n${"x".repeat(1e5)}`;
export default () => {
  throw new Error("mine");
};
