export const attempt = {
  tries:
    "to read its own request ID with a replaced getter, and release its process while its work continues",
  blockedBecause: "the wrapper captures the getters with which it reads requests",
  runs: [{}, {}],
  ends: { says: "answered" },
};

let id = "unknown";
for (const name of ["method", "headers", "url"]) {
  const { get } = Object.getOwnPropertyDescriptor(Request.prototype, name) ?? {};
  const headersOf = Object.getOwnPropertyDescriptor(Request.prototype, "headers").get;
  Object.defineProperty(Request.prototype, name, {
    get() {
      id = Headers.prototype.get.call(headersOf.call(this), "x-toolhost-request") ?? id;
      return get.call(this);
    },
  });
}
export default async (input) => {
  if (input?.inner) return "inner";
  if (id === "unknown") return "answered";
  const { exports, waitUntil } = process.getBuiltinModule("cloudflare:workers");
  const meta = {
    logNonce: "x",
    runId: "x",
    credentials: {},
    logBytes: 0,
    outputBytes: 100,
    wallMs: 1000,
  };
  const body = `${JSON.stringify(meta)}\n{"inner":true}`;
  waitUntil(
    new Promise((resolve) => setTimeout(resolve, 60)).then(() => {
      for (;;);
    }),
  );
  const headers = { "x-toolhost-request": id };
  await (await exports.default.fetch("http://tool/run", { method: "POST", body, headers })).text();
  return "answered";
};
