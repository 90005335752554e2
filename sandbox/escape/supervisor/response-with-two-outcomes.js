export const attempt = {
  tries: "to respond with two outcomes",
  blockedBecause: "the first one counts, which the tool could have had anyway",
  isolation: "fresh",
  ends: { says: "^\\{\\}$" },
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
