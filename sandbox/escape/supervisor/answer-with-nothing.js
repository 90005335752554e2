export const attempt = {
  tries: "to answer by rejecting with nothing",
  refusedBecause: "whatever it is, it counts as failed",
  ends: { code: "tool_error" },
};

export default () => {
  Response.prototype.then = (_, reject) => {
    delete Response.prototype.then;
    reject(null);
  };
};
