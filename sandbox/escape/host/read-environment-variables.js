export const attempt = {
  tries: "to find a variable of the service in process.env",
  blockedBecause: "the sandbox starts its processes without an environment",
  ends: { says: "empty" },
};

export default () => {
  const names = Object.keys(process.env);
  return names.length > 0 ? `got through: ${names}` : { refused: process.env.PATH ?? "empty" };
};
