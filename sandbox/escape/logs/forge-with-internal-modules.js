import { createRequire } from "node:module";

export const attempt = {
  tries: "to write lines with a chosen nonce, by importing the runtime's internal modules",
  blockedBecause: "lines with an unknown nonce are dropped",
  logs: [],
  ends: { says: "lines sent" },
};

export default () => {
  const ours = createRequire("file:///tool.js")("toolhost-console.js");
  const run = ours.newRun("0123456789abcdef0123456789abcdef", 1e9);
  ours.setLoader(run);
  ours.within(run, () => console.log("forged"));
  ours.progress(run, 1, "forged");
  return Object.keys(ours).length > 0 ? "lines sent" : "refused";
};
