import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { z } from "zod";
import { sha256 } from "#lib/hash";

type Adapter = Parameters<NonNullable<BetterAuthPlugin["init"]>>[0]["adapter"];
type Where = Parameters<Adapter["findMany"]>[0]["where"];
type Value = NonNullable<Where>[number]["value"];

const withLocalEmail = z.looseObject({ email: z.string().regex(/^[^@\s]{1,64}@localhost$/i) });
/** Appended to addresses at `localhost`, because the library rejects hosts without a dot. */
const localSuffix = ".invalid";

/**
 * Converts values between the sign-in library and the database. Only hashes of session tokens are stored. Users with an
 * address at `localhost`, such as the owner of a first start, can sign in although the library rejects such hosts: it
 * sees another address, which is never stored.
 */
export function storedValues(): BetterAuthPlugin {
  return {
    id: "stored-values",
    // The library offers no other hook for this. All of its parts share this object.
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

/** The session tokens of a query's conditions, by their hashes. */
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

/** Returns to the library the session token that it queried with; of other sessions it sees the hash. */
function restore<Row extends object>(
  model: string,
  row: Row,
  tokens: ReadonlyMap<string, string>,
): Row {
  const stored: unknown = Reflect.get(row, "token");
  const token = typeof stored === "string" ? tokens.get(stored) : undefined;
  return model === "session" && token !== undefined ? { ...row, token } : row;
}
