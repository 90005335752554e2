export const attempt = {
  tries: "to send an endless response",
  blockedBecause: "a response is cut off at the limit",
  limits: { cpuMs: 5000 },
  isolation: "fresh",
  ends: { code: "output_too_large" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    const body = new ReadableStream({
      pull: (sink) => sink.enqueue(new Uint8Array(65536).fill(120)),
    });
    resolve(new Answer(body, { headers: { "x-outcome": "completed" } }));
  };
};
