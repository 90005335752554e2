export const attempt = {
  tries: "to give the dispatcher functions that it would call in the isolate",
  blockedBecause: "the dispatcher uses nothing but text and streams",
  limits: { outputBytes: 4000000 },
  ends: { code: "tool_error", message: "without text" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    const steal = () => {
      throw new Error("got through: the dispatcher called it");
    };
    resolve({ startsWith: steal, toString: steal, headers: { get: steal }, body: steal });
  };
  return "x".repeat(2_000_000);
};
