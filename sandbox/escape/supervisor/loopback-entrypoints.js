export const attempt = {
  tries: "to get an entrypoint of the dispatcher through the loopback",
  blockedBecause: "a tool's loopback exposes only its own module",
  ends: { says: "not a function" },
};

export default async () => {
  const { exports } = process.getBuiltinModule("cloudflare:workers");
  const ends = [];
  for (const name of ["Egress", "Ends", "LOADER"]) {
    try {
      const answer = await exports[name]({ props: { isolate: "another" } }).fetch(
        "http://127.0.0.1/reached",
      );
      ends.push(`got through: ${answer.status}`);
    } catch (error) {
      ends.push(error.message);
    }
  }
  return ends;
};
