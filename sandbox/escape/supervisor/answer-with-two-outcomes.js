export const attempt = {
  tries: "to answer with two outcomes",
  refusedBecause: "it counts as failed",
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
