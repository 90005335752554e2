export const attempt = {
  tries: "to learn the paths of files",
  blockedBecause: "a tool is one file of code and cannot import files of this machine",
  ends: { code: "tool_error", message: "require" },
};

export default () => ({ at: require.resolve("/etc/passwd") });
