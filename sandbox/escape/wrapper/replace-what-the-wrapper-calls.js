export const attempt = {
  tries: "to change its result by what the wrapper calls",
  refusedBecause: "the wrapper holds on to what it needs before the tool begins",
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
