export const attempt = {
  tries: "to learn the nonce of its lines in a reused isolate, and forge the end of a run",
  blockedBecause: "only the dispatcher knows the nonce of the lines that end a run",
  runs: [{}, {}],
  ends: { says: "it says so itself" },
};

const then = Promise.prototype.then;
const write = process.stdout.write.bind(process.stdout);
Object.defineProperty(Promise.prototype, "constructor", { get: () => undefined });
Promise.prototype.then = function (yes, no) {
  return then.call(
    this,
    (value) => {
      const mark = /"logNonce":"(\w+)"/.exec(typeof value === "string" ? value : "")?.[1];
      if (mark !== undefined)
        for (const word of ["end", "idle", "full", "progress 7", "log error 1e300 forged"]) {
          write(`${mark} ${word}\n`);
          console.log(`${mark} ${word}`);
        }
      return yes?.(value);
    },
    no,
  );
};
export default () => "it says so itself";
