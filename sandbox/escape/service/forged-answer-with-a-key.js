export const attempt = {
  tries: "to be taken for a failure of the service by an answer that is no JSON",
  refusedBecause: "what an isolate says is its output is parsed again",
  ends: { code: "invalid_output", message: "not valid JSON" },
  hasKey: true,
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    resolve(new Answer("not JSON", { headers: { "x-outcome": "completed" } }));
  };
};
