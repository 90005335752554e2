export const attempt = {
  tries: "to change the input of another run with every prototype",
  blockedBecause: "each user and version has a separate isolate",
  ends: { says: "changed its own world" },
};

for (const kind of [
  Object,
  Array,
  Function,
  Promise,
  Response,
  Request,
  Headers,
  String,
  Map,
  Error,
]) {
  kind.prototype.left = "polluted";
  kind.left = "polluted";
}
Object.prototype.status = 500;
Object.prototype.headers = { "x-outcome": "failed" };
Array.prototype.map = undefined;
export default () => "changed its own world";
