export const attempt = {
  tries: "to store megabytes as its error",
  blockedBecause: "error messages are limited to 8,000 characters",
  isolation: "fresh",
  ends: { code: "tool_error", message: "^m{8000}$" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    const body = JSON.stringify({
      name: "Error",
      message: "m".repeat(5e5),
      stack: "s".repeat(4e5),
    });
    resolve(new Answer(body, { headers: { "x-outcome": "failed" } }));
  };
};
