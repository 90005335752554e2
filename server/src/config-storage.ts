import { z } from "zod";
import { address, whole } from "./config-values.ts";

const megabyte = 1024 * 1024;

/** Files that users upload and runs save. */
export const fileSettings = {
  FILE_STORAGE: z
    .enum(["local", "s3"])
    .default("local")
    .describe(
      "`local` is the folder `DATA_DIR/files`, which several nodes must share; `s3` is a bucket.",
    ),
  S3_BUCKET: z.string().min(1).optional().meta({
    description: "Bucket for files, on any S3-compatible server.",
    example: "toolhost",
  }),
  S3_REGION: z.string().min(1).default("us-east-1").describe("Its region."),
  S3_ENDPOINT: address.optional().meta({
    description: "URL of the S3-compatible server.",
    unset: "Amazon's",
    example: "https://minio.example.com",
  }),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().meta({
    description: "Access key for the bucket.",
    unset: "the machine's role",
  }),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().meta({
    description: "Its secret.",
    unset: "the machine's role",
  }),
  S3_FORCE_PATH_STYLE: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true")
    .describe("`true` if the bucket is part of the path instead of the host name."),
  UPLOAD_MAX_BYTES: whole(1_024, 1_024 ** 4)
    .default(100 * megabyte)
    .describe("Size of a file."),
  FILE_RETENTION_HOURS: whole(1, 876_000)
    .default(168)
    .describe("Hours after which files are deleted."),
};

/** How long data is stored. */
export const retentionSettings = {
  RUN_RETENTION_DAYS: whole(0, 36_500)
    .default(90)
    .describe("Days after which runs are deleted; 0 is never."),
  RUN_LOG_RETENTION_DAYS: whole(0, 36_500)
    .default(30)
    .describe("Days after which the logs of runs are deleted; 0 is never."),
  DRAFT_RETENTION_DAYS: whole(0, 36_500)
    .default(90)
    .describe("Days after which unused drafts are deleted; 0 is never."),
  AUDIT_RETENTION_DAYS: whole(0, 36_500)
    .default(365)
    .describe("Days after which audit events are deleted; 0 is never."),
  AUDIT_SEAL_INTERVAL_MS: whole(50, 60_000)
    .default(3_000)
    .describe("How often audit events are sealed into their hash chain."),
  IDEMPOTENCY_RETENTION_MS: whole(1_000, 30 * 86_400_000)
    .default(86_400_000)
    .describe("How long an `Idempotency-Key` is remembered after its first request."),
};
