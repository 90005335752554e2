import inspector from "node:inspector";
import v8 from "node:v8";

export const attempt = {
  tries: "to open a debugger or change runtime flags",
  blockedBecause: "the runtime supports neither",
  ends: { says: "it is at undefined.*NOT_IMPLEMENTED" },
  absent: ["/tmp/heap", "/tmp/report"],
  closed: [9229],
};

export default async () => {
  const ways = [
    () => (
      inspector.open(9229, "127.0.0.1"),
      Promise.reject(new Error(`it is at ${inspector.url()}`))
    ),
    () => new inspector.Session().connect(),
    () => v8.setFlagsFromString("--allow-natives-syntax"),
    () => v8.getHeapSnapshot(),
    () => v8.writeHeapSnapshot("/tmp/heap"),
    () => process.report.writeReport("/tmp/report"),
    () => v8.startupSnapshot.addSerializeCallback(() => {}),
  ];
  const refusals = [];
  for (const way of ways) {
    try {
      return `got through: ${JSON.stringify(await way())}`;
    } catch (error) {
      refusals.push(error.code ?? error.message);
    }
  }
  return refusals;
};
