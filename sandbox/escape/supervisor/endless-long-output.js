export const attempt = {
  tries: "to replace a streamed output by an endless one",
  blockedBecause: "the dispatcher stops reading at the limit",
  limits: { cpuMs: 5000, outputBytes: 4000000 },
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
  return "x".repeat(2_000_000);
};
