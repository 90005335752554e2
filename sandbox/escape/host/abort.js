export const attempt = {
  tries: "to crash its process",
  blockedBecause: "the runtime ends only the run",
  ends: { code: "tool_error", message: "process\\.exit" },
};

export default () => process.abort();
