import type { z } from "zod";
import { chatApps } from "./config-chat.ts";
import type { settings } from "./config-schema.ts";

/** Checks settings that depend on each other. */
export function checkTogether({
  value,
  issues,
}: z.core.ParsePayload<z.infer<typeof settings>>): void {
  const need = (name: keyof typeof value, when: string) => {
    if (value[name] !== undefined) return;
    issues.push({ code: "custom", path: [name], message: `must be set ${when}`, input: undefined });
  };
  if (value.ENCRYPTION_KEY_PREVIOUS.length > 0) need("ENCRYPTION_KEY", "with the previous ones");
  if ((value.SANDBOX_CHILD_PROCESSES ?? Infinity) < value.RUN_CHILD_DEPTH) {
    const message = "must be at least RUN_CHILD_DEPTH, because each depth needs a process";
    issues.push({
      code: "custom",
      path: ["SANDBOX_CHILD_PROCESSES"],
      message,
      input: undefined,
    });
  }
  if (value.DATABASE_DIRECT_URL !== undefined) need("DATABASE_URL", "with DATABASE_DIRECT_URL");
  if (value.FILE_STORAGE === "s3") need("S3_BUCKET", "for FILE_STORAGE=s3");
  for (const name of ["GOOGLE", "GITHUB", "OIDC"] as const) {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`] as const;
    if (value[id] !== undefined) need(secret, `with ${id}`);
    if (value[secret] !== undefined) need(id, `with ${secret}`);
  }
  for (const app of chatApps) {
    if (!app.settings.some((name) => value[name] !== undefined)) continue;
    for (const name of app.settings) need(name, `with the other settings of the ${app.label}`);
  }
  if (value.SLACK_APP_TOKEN !== undefined) need("SLACK_CLIENT_ID", "with SLACK_APP_TOKEN");
  if (value.METRICS_PORT === value.PORT && value.PORT !== 0) {
    const message = "must differ from PORT";
    issues.push({ code: "custom", path: ["METRICS_PORT"], message, input: undefined });
  }
  if (value.CHAT_MODEL_PROVIDER !== undefined) need("CHAT_MODEL", "with CHAT_MODEL_PROVIDER");
  if (value.CHAT_MODEL !== undefined) need("CHAT_MODEL_PROVIDER", "with CHAT_MODEL");
  if (value.CHAT_MODEL_PROVIDER === "anthropic") need("CHAT_MODEL_API_KEY", "for anthropic");
  if (value.EMBEDDINGS_URL !== undefined) need("EMBEDDINGS_MODEL", "with EMBEDDINGS_URL");
  if (value.EMBEDDINGS_MODEL !== undefined) need("EMBEDDINGS_URL", "with EMBEDDINGS_MODEL");
  if (value.OIDC_CLIENT_ID !== undefined) need("OIDC_ISSUER", "with OIDC_CLIENT_ID");
  if (value.OIDC_ISSUER !== undefined) need("OIDC_CLIENT_ID", "with OIDC_ISSUER");
  if (value.S3_ACCESS_KEY_ID !== undefined) need("S3_SECRET_ACCESS_KEY", "with S3_ACCESS_KEY_ID");
  if (value.S3_SECRET_ACCESS_KEY !== undefined) need("S3_ACCESS_KEY_ID", "with its secret");
}
