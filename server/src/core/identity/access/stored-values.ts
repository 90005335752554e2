import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { z } from "zod";
import { sha256 } from "#lib/hash";

type Adapter = Parameters<NonNullable<BetterAuthPlugin["init"]>>[0]["adapter"];
type Where = Parameters<Adapter["findMany"]>[0]["where"];
type Value = NonNullable<Where>[number]["value"];

const withLocalEmail = z.looseObject({ email: z.string().regex(/^[^@\s]{1,64}@localhost$/i) });
/** Makes an address of the first owner's kind one that the library takes for an address. */
const localSuffix = ".invalid";

/**
 * Stands between the sign-in library and the database. Of a session's token only the hash is stored. And people
 * whose address is `@localhost`, such as the owner that a first start makes, can sign in, although the
 * library refuses hosts of one label: it is shown another address, which is never stored.
 */
export function storedValues(): BetterAuthPlugin {
  return {
    id: "stored-values",
    // The library has no other place for this; its own parts all share this one object.
    init: ({ adapter }) => translate(adapter),
    hooks: {
      before: [
        {
          matcher: ({ body }) => withLocalEmail.safeParse(body).success,
          handler: createAuthMiddleware(async ({ body }) => {
            const given = withLocalEmail.parse(body);
            return { context: { body: { ...given, email: given.email + localSuffix } } };
          }),
        },
      ],
    },
  };
}

function translate(adapter: Adapter): void {
  const { create, findOne, findMany, update, updateMany, remove, deleteMany, count } = {
    ...adapter,
    remove: adapter.delete,
  };
  adapter.create = async (asked) => {
    const data = toStoredData(asked.model, asked.data);
    const row = await create<typeof asked.data, never>({ ...asked, data });
    return restore(asked.model, row, tokensIn(asked.data));
  };
  adapter.findOne = async (asked) => {
    const where = toStoredWhere(asked.model, asked.where);
    const row = await findOne<never>({ ...asked, where });
    return row === null ? null : restore(asked.model, row, tokensOf(asked.where));
  };
  adapter.findMany = async (asked) => {
    const where = asked.where && toStoredWhere(asked.model, asked.where);
    const rows = await findMany<never>({ ...asked, ...(where && { where }) });
    return rows.map((row) => restore(asked.model, row, tokensOf(asked.where)));
  };
  adapter.update = async (asked) => {
    const where = toStoredWhere(asked.model, asked.where);
    const stored = { ...asked, where, update: toStoredData(asked.model, asked.update) };
    const row = await update<never>(stored);
    return row === null ? null : restore(asked.model, row, tokensOf(asked.where));
  };
  adapter.updateMany = (asked) =>
    updateMany({ ...asked, where: toStoredWhere(asked.model, asked.where) });
  adapter.delete = (asked) => remove({ ...asked, where: toStoredWhere(asked.model, asked.where) });
  adapter.deleteMany = (asked) =>
    deleteMany({ ...asked, where: toStoredWhere(asked.model, asked.where) });
  adapter.count = (asked) =>
    count({ ...asked, ...(asked.where && { where: toStoredWhere(asked.model, asked.where) }) });
}

function toStored(model: string, field: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (model === "session" && field === "token") return sha256(value);
  if (model === "user" && field === "email" && value.endsWith(`@localhost${localSuffix}`)) {
    return value.slice(0, -localSuffix.length);
  }
  return value;
}

function toStoredData<Data extends object>(model: string, data: Data): Data {
  const entries = Object.entries(data);
  return Object.fromEntries(
    entries.map(([field, value]) => [field, toStored(model, field, value)]),
  ) as Data;
}

function toStoredWhere<Conditions extends NonNullable<Where>>(
  model: string,
  where: Conditions,
): Conditions {
  return where.map((condition) => {
    const { field, value } = condition;
    const stored = Array.isArray(value)
      ? value.map((one) => toStored(model, field, one))
      : toStored(model, field, value);
    return { ...condition, value: stored as Value };
  }) as Conditions;
}

/** The tokens that a call names, by their hashes. */
function tokensOf(where: Where): ReadonlyMap<string, string> {
  const values = (where ?? [])
    .filter(({ field }) => field === "token")
    .flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
  const tokens = values.filter((value) => typeof value === "string");
  return new Map(tokens.map((token) => [sha256(token), token]));
}

function tokensIn(data: object): ReadonlyMap<string, string> {
  const token: unknown = Reflect.get(data, "token");
  return new Map(typeof token === "string" ? [[sha256(token), token]] : []);
}

/** Gives the library back the token that it asked with; of others it sees the hash. */
function restore<Row extends object>(
  model: string,
  row: Row,
  tokens: ReadonlyMap<string, string>,
): Row {
  const stored: unknown = Reflect.get(row, "token");
  const token = typeof stored === "string" ? tokens.get(stored) : undefined;
  return model === "session" && token !== undefined ? { ...row, token } : row;
}
