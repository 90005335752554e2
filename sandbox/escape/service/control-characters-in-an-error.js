export const attempt = {
  tries: "to have its run never end by an error that no database can store",
  refusedBecause: "what is stored is JSON, which has escapes for it",
  ends: { code: "tool_error", message: "a" },
};

export default () => {
  throw Object.assign(new Error("a\0b\ud800"), { name: "\0" });
};
