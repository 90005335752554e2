export const attempt = {
  tries: "to abort its isolate, so that the service gets no response",
  blockedBecause: "the run ends without a response, and its process is discarded",
  ends: { code: "timeout", message: "can never settle" },
};

export default async () => {
  const { abortIsolate } = process.getBuiltinModule("cloudflare:workers");
  abortIsolate("gone");
  await new Promise(() => {});
};
