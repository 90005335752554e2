export const attempt = {
  tries: "to reject with undefined",
  blockedBecause: "any rejection is treated as a failure",
  isolation: "fresh",
  ends: { code: "tool_error" },
};

export default () => {
  Response.prototype.then = (_, reject) => {
    delete Response.prototype.then;
    reject(null);
  };
};
