export const attempt = {
  tries: "to start a response and never end it",
  blockedBecause: "a run has a time limit",
  limits: { wallMs: 800 },
  isolation: "fresh",
  ends: { code: "timeout|tool_error|invalid_output" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    const body = new ReadableStream({
      start: (sink) => sink.enqueue(new Uint8Array(1)),
      pull: () => new Promise((go) => setTimeout(go, 60000)),
    });
    resolve(new Answer(body, { headers: { "x-outcome": "completed" } }));
  };
};
