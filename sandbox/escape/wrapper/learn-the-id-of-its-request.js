export const attempt = {
  tries: "to learn the ID of the dispatcher's request, the name of the method that it called",
  blockedBecause: "the name appears in no stack, argument or property that the tool can reach",
  runs: [{}, {}],
  ends: { says: "found nothing" },
};

const seen = [];
const note = (value) => {
  try {
    if (typeof value === "string") seen.push(value);
    else if (typeof value === "function") seen.push(String(value.name));
    else seen.push(JSON.stringify(value) ?? "");
  } catch {}
};
const get = Reflect.get;
Reflect.get = (...values) => (values.forEach(note), get(...values));
for (const kind of [String, Array, Promise]) {
  for (const name of ["slice", "indexOf", "then", "startsWith"]) {
    const original = kind.prototype[name];
    if (typeof original !== "function") continue;
    kind.prototype[name] = function (...values) {
      note(this);
      values.forEach(note);
      return original.apply(this, values);
    };
  }
}
const { WorkerEntrypoint } = process.getBuiltinModule("cloudflare:workers");
const parent = Object.getPrototypeOf(WorkerEntrypoint.prototype);
try {
  Object.setPrototypeOf(
    WorkerEntrypoint.prototype,
    new Proxy(parent ?? {}, {
      get: (target, name, receiver) => (note(name), get(target, name, receiver)),
      has: (target, name) => (note(name), name in target),
    }),
  );
} catch {}

export default async () => {
  Error.prepareStackTrace = (error, sites) => {
    for (const site of sites) {
      note(site.getFunctionName());
      note(site.getMethodName());
      note(site.getTypeName());
      note(site.toString());
    }
    return error.message;
  };
  Error.stackTraceLimit = 100;
  note(new Error("x").stack);
  await null;
  note(new Error("y").stack);
  const ids = seen.filter((text) => /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/.test(text));
  return ids.length === 0 ? "found nothing" : `got through: ${ids[0]}`;
};
