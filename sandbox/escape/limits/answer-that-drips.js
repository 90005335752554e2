export const attempt = {
  tries: "to wait for ever for the rest of an answer",
  refusedBecause: "a run has a time, and its end closes all",
  allowedHosts: ["http://{witness}"],
  limits: { wallMs: 800 },
  ends: { code: "timeout" },
  mayBeSeen: ["GET /drip"],
};

export default async ({ witness }) => {
  await (await fetch(`http://${witness}/drip`)).text();
  return "got through";
};
