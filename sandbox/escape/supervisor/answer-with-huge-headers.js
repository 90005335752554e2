export const attempt = {
  tries: "to overwhelm the service with the headers of its answer",
  refusedBecause: "the service takes no more than its HTTP client does, and gives the process up",
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
