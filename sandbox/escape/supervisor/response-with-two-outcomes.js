export const attempt = {
  tries: "to respond with two outcomes",
  blockedBecause: "it is treated as a failure",
  ends: { code: "tool_error" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    const headers = new Headers({ "x-outcome": "completed" });
    headers.append("x-outcome", "failed");
    resolve(new Answer("{}", { headers }));
  };
};
