import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { Disk } from "flydrive";
import { S3Driver } from "flydrive/drivers/s3";
import type { Config } from "#config";
import type { FileStorage } from "./file-storage.ts";

const connectTimeoutMs = 10_000;
const socketTimeoutMs = 60_000;

/** Stores files in a bucket of S3 or of a compatible server. */
export function createS3Storage(config: Config, incomingDir: string): FileStorage {
  const { S3_BUCKET: bucket = "" } = config;
  const client = createClient(config);
  const disk = new Disk(
    // The bucket's policy controls access; many compatible servers have no ACLs.
    new S3Driver({ client, bucket, visibility: "private", supportsACL: false }),
  );
  return {
    incomingDir,
    put: async (key, path, size) => {
      // The SDK sends an empty stream without a length, which S3 refuses.
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
      if (!(body instanceof Readable)) throw new Error("The bucket returned no body");
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
    // Without credentials the SDK requests those of the machine's role.
    ...(id === undefined || secret === undefined
      ? {}
      : { credentials: { accessKeyId: id, secretAccessKey: secret } }),
    // By default the SDK sends streams in an encoding that some servers store undecoded.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Failures are thrown, and logged where they are handled.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: socketTimeoutMs },
  });
}

function ignore(): void {
  // The SDK would write to the console in a format that is not that of the log.
}
