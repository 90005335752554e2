export const attempt = {
  tries: "to change the code that a later run of somebody else meets",
  refusedBecause: "each user has an isolate of their own",
  runs: [{}, { user: "alice" }],
  ends: { says: "refused" },
};

export default async () => {
  const was = globalThis.leftFetch === true;
  globalThis.leftFetch = true;
  globalThis.fetch = () => "forged";
  JSON.stringify = () => '"got through"';
  JSON.parse = () => "got through";
  console.log = () => {};
  return was ? "got through" : "refused";
};
