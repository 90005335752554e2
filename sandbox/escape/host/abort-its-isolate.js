export const attempt = {
  tries: "to end its isolate, and with it the answer to the service",
  refusedBecause: "the run ends without an answer and its process is given up",
  ends: { code: "timeout", message: "can never settle" },
};

export default async () => {
  const { abortIsolate } = process.getBuiltinModule("cloudflare:workers");
  abortIsolate("gone");
  await new Promise(() => {});
};
