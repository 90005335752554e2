export const attempt = {
  tries: "to create an environment with bindings",
  blockedBecause: "an environment contains only what is put into it",
  ends: { says: "its own word" },
};

export default async () => {
  const { withEnv, env } = process.getBuiltinModule("cloudflare:workers");
  return withEnv({ LOADER: 1 }, () =>
    typeof env.LOADER === "object" ? "got through" : "its own word",
  );
};
