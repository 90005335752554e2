export const attempt = {
  tries: "to overwhelm the service with the headers of its response",
  blockedBecause: "the service's HTTP client limits headers, and the process is discarded",
  isolation: "fresh",
  ends: { code: "sandbox_lost" },
};

export default () => {
  const Answer = Response;
  Response.prototype.then = (resolve) => {
    delete Answer.prototype.then;
    const headers = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`x-${i}`, "y".repeat(1000)]),
    );
    resolve(new Answer("1", { headers }));
  };
};
