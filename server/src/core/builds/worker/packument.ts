import { Buffer } from "node:buffer";
import { rcompare, satisfies, valid, validRange } from "semver";
import { maxTexts, refusePackages } from "./messages.ts";

/** The used fields of a package version's metadata. */
export type Manifest = {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  /** Names of packages in the archive itself; true for all dependencies. */
  bundled: readonly string[] | true;
  os: readonly string[];
  cpu: readonly string[];
  isDeprecated: boolean;
  dist: { url: string; integrity: string };
};

export type Packument = {
  tags: ReadonlyMap<string, string>;
  /** Parsed on selection only, since a package may have thousands of versions. */
  versions: ReadonlyMap<string, unknown>;
};

const loose = { loose: true };
const maxNamesOfVersion = 2_000;

/** Parses the metadata of a package. Throws `RefusedError` if it is malformed. */
export function readPackument(name: string, bytes: Buffer): Packument {
  const document = parse(bytes);
  if (!isRecord(document) || !isRecord(document["versions"])) {
    throw refusePackages(`The metadata of the package ${name} cannot be read.`);
  }
  return {
    tags: new Map(Object.entries(textsOf(document["dist-tags"]))),
    versions: new Map(Object.entries(document["versions"])),
  };
}

/**
 * The version that npm selects for a range or a tag: `latest` if it is in the range, otherwise the highest version that is
 * not deprecated. Undefined if none matches.
 */
export function pickVersion(
  name: string,
  { tags, versions }: Packument,
  range: string,
): Manifest | undefined {
  const read = (version: string | undefined | null) =>
    version != null && versions.has(version)
      ? readManifest(name, version, versions.get(version))
      : undefined;
  if (tags.has(range)) return read(tags.get(range));
  const latest = tags.get("latest");
  if (range === "" || range === "*") return read(latest);
  const exact = valid(range, loose);
  if (exact !== null) return read(exact);
  if (validRange(range, loose) === null) return undefined;
  if (latest !== undefined && satisfies(latest, range, loose)) {
    const manifest = read(latest);
    if (manifest?.isDeprecated === false) return manifest;
  }
  const fitting = [...versions.keys()]
    .filter((version) => satisfies(version, range, loose))
    .toSorted((a, b) => rcompare(a, b, loose));
  const sound = fitting.find((version) => !isDeprecated(versions.get(version)));
  return read(sound ?? fitting[0]);
}

function readManifest(name: string, version: string, value: unknown): Manifest {
  if (!isRecord(value) || !isRecord(value["dist"])) {
    throw refusePackages(`The metadata of the package ${name} ${version} cannot be read.`);
  }
  const { tarball, integrity, shasum } = value["dist"];
  if (typeof tarball !== "string" || tarball.length > maxTexts.url) {
    throw refusePackages(`The package ${name} ${version} has no archive.`);
  }
  const bundled = value["bundleDependencies"] ?? value["bundledDependencies"];
  return {
    name,
    version,
    dependencies: textsOf(value["dependencies"]),
    optionalDependencies: textsOf(value["optionalDependencies"]),
    bundled: bundled === true ? true : stringsOf(bundled),
    os: stringsOf(value["os"]),
    cpu: stringsOf(value["cpu"]),
    isDeprecated: isDeprecated(value),
    dist: { url: tarball, integrity: digestOf(integrity, shasum) },
  };
}

/** Packages published before 2017 may have only a SHA-1 digest. */
function digestOf(integrity: unknown, shasum: unknown): string {
  if (typeof integrity === "string") return integrity.length > maxTexts.integrity ? "" : integrity;
  if (typeof shasum !== "string" || !/^[0-9a-f]{40}$/.test(shasum)) return "";
  return `sha1-${Buffer.from(shasum, "hex").toString("base64")}`;
}

function isDeprecated(manifest: unknown): boolean {
  return isRecord(manifest) && Boolean(manifest["deprecated"]);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts.slice(0, maxNamesOfVersion));
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
