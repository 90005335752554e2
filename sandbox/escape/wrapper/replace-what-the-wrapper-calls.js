export const attempt = {
  tries: "to change its result by replacing what the wrapper calls",
  blockedBecause: "the wrapper captures what it needs before the tool is loaded",
  ends: { says: '^\\{"is":"its own"\\}$' },
};

const forged = () => "got through";
JSON.stringify = forged;
Headers.prototype.get = forged;
Request.prototype.text = forged;
String.prototype.slice = forged;
String.prototype.indexOf = () => 0;
TextEncoder.prototype.encode = forged;
Object.keys = () => ["got through"];
Array.prototype.filter = forged;
globalThis.Response = class {};
globalThis.Error = null;
globalThis.Promise = null;
export default () => ({ is: "its own" });
