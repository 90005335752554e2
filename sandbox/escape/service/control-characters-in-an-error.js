export const attempt = {
  tries: "to prevent its run from ending with an error that databases cannot store",
  blockedBecause: "errors and outputs are stored as JSON, which escapes it",
  ends: { code: "tool_error", message: "a" },
};

export default () => {
  throw Object.assign(new Error("a\0b\ud800"), { name: "\0" });
};
