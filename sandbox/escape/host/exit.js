export const attempt = {
  tries: "to end its process",
  refusedBecause: "the engine ends the run and nothing else",
  ends: { code: "tool_error", message: "process\\.exit" },
};

export default () => process.exit(0);
