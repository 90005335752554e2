import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { Disk } from "flydrive";
import { S3Driver } from "flydrive/drivers/s3";
import type { Config } from "#config";
import type { FileStorage } from "./file-storage.ts";

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 60_000;

/** A bucket of S3 or of a server that speaks its protocol. */
export function createS3Storage(config: Config, incomingDir: string): FileStorage {
  const { S3_BUCKET: bucket = "" } = config;
  const client = createClient(config);
  const disk = new Disk(
    // Access is the bucket's own matter: many servers know no ACL.
    new S3Driver({ client, bucket, visibility: "private", supportsACL: false }),
  );
  return {
    incomingDir,
    take: async (key, path, size) => {
      // A stream without bytes would be sent without a length, which S3 refuses.
      if (size === 0) await disk.put(key, "", { ContentLength: 0 });
      else await disk.putStream(key, createReadStream(path), { contentLength: size });
    },
    open: async (key, range) => {
      const { Body: body } = await client.send(
        new GetObjectCommand({
          Bucket: bucket,
          Key: key,
          ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
        }),
      );
      if (!(body instanceof Readable)) throw new Error("The bucket answered without a body");
      return body;
    },
    remove: (key) => disk.delete(key),
  };
}

function createClient(config: Config): S3Client {
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret, S3_ENDPOINT: endpoint } = config;
  return new S3Client({
    region: config.S3_REGION,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    ...(endpoint === undefined ? {} : { endpoint }),
    // Without them the SDK asks the machine for its role.
    ...(id === undefined || secret === undefined
      ? {}
      : { credentials: { accessKeyId: id, secretAccessKey: secret } }),
    // Else it sends streams in a form of its own that some servers store as it comes.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // What fails is thrown, and told once where it is handled.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: silenceTimeoutMs },
  });
}

function ignore(): void {
  // Not even warnings: they would stand beside our own log in another form.
}
