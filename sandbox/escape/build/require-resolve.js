export const attempt = {
  tries: "to learn where files are",
  refusedBecause:
    "one file of code is all that a tool is; nothing else of this machine may go into it",
  ends: { code: "tool_error", message: "require" },
};

export default () => ({ at: require.resolve("/etc/passwd") });
