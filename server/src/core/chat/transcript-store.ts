import { sql } from "kysely";
import type { CompiledQuery } from "kysely";
import type { ChatMessageTable, ChatThreadTable, Database } from "#db";

export type ThreadKey = Pick<ChatThreadTable, "connection_id" | "channel" | "thread">;

/** Stores a thread in which the bot is asked. One that starts with the request has no earlier messages. */
export function useThread(
  { kysely }: Database,
  key: ThreadKey,
  { now, isFirst }: { now: number; isFirst: boolean },
): CompiledQuery {
  return kysely
    .insertInto("chat_threads")
    .values({ ...key, is_read: isFirst ? 1 : 0, used_at: now })
    .onConflict((conflict) =>
      conflict.columns(["connection_id", "channel", "thread"]).doUpdateSet({ used_at: now }),
    )
    .compile();
}

/** Whether the earlier messages of a thread were read. */
export async function isThreadRead({ kysely }: Database, key: ThreadKey): Promise<boolean> {
  const found = await kysely
    .selectFrom("chat_threads")
    .select("is_read")
    .where("connection_id", "=", key.connection_id)
    .where("channel", "=", key.channel)
    .where("thread", "=", key.thread)
    .executeTakeFirst();
  return found?.is_read === 1;
}

export function markRead({ kysely }: Database, key: ThreadKey): CompiledQuery {
  return kysely
    .updateTable("chat_threads")
    .set({ is_read: 1 })
    .where("connection_id", "=", key.connection_id)
    .where("channel", "=", key.channel)
    .where("thread", "=", key.thread)
    .compile();
}

/** Stores a message unless it is known. The bot's own messages change. */
export function insertMessage({ kysely }: Database, row: ChatMessageTable): CompiledQuery {
  return kysely
    .insertInto("chat_messages")
    .values(row)
    .onConflict((conflict) =>
      row.author === "bot"
        ? conflict
            .columns(["connection_id", "channel", "thread", "message_id"])
            .doUpdateSet({ text: row.text })
        : conflict.doNothing(),
    )
    .compile();
}

type MessagesOf = {
  connectionId: string;
  channel: string;
  /** Any thread of the channel without it. */
  thread: string | undefined;
};

/** The text of a stored message. */
export async function findMessageText(
  { kysely }: Database,
  { connectionId, channel, thread }: MessagesOf,
  messageId: string,
): Promise<string | undefined> {
  const query = kysely
    .selectFrom("chat_messages")
    .select("text")
    .where("connection_id", "=", connectionId)
    .where("channel", "=", channel)
    .where("message_id", "=", messageId);
  const within = thread === undefined ? query : query.where("thread", "=", thread);
  return (await within.executeTakeFirst())?.text;
}

type ThreadMessageRow = { platform: string; teamId: string } & Omit<
  ChatMessageTable,
  "connection_id"
>;

/** Stores a message if its thread is known, in one statement. */
export async function insertIfKnownThread(
  { kysely }: Database,
  row: ThreadMessageRow,
): Promise<void> {
  await sql`
    insert into chat_messages (connection_id, channel, thread, message_id, author, text, files)
    select t.connection_id, t.channel, t.thread, cast(${row.message_id} as text),
      cast(${row.author} as text), cast(${row.text} as text), cast(${row.files} as text)
    from chat_connections c join chat_threads t on t.connection_id = c.id
    where c.platform = ${row.platform} and c.team_id = ${row.teamId} and c.state = 'active'
      and t.channel = ${row.channel} and t.thread = ${row.thread}
    on conflict do nothing
  `.execute(kysely);
}

type Changed = { platform: string; teamId: string; channel: string; messageId: string };

/** Updates or deletes a stored message. */
export function changeMessage(
  { kysely }: Database,
  { platform, teamId, channel, messageId }: Changed,
  text: string | null,
): CompiledQuery {
  const connection = kysely
    .selectFrom("chat_connections")
    .select("id")
    .where("platform", "=", platform)
    .where("team_id", "=", teamId);
  const change =
    text === null ? sql`delete from chat_messages` : sql`update chat_messages set text = ${text}`;
  return sql`${change} where connection_id in (${connection}) and channel = ${channel} and message_id = ${messageId}`.compile(
    kysely,
  );
}

/** The first message of a thread and the latest ones before one, oldest first. */
export async function findMessages(
  { kysely }: Database,
  key: ThreadKey,
  { before, limit }: { before: string; limit: number },
): Promise<ChatMessageTable[]> {
  const rows = await kysely
    .selectFrom("chat_messages")
    .selectAll()
    .where("connection_id", "=", key.connection_id)
    .where("channel", "=", key.channel)
    .where("thread", "=", key.thread)
    .where("message_id", "<", before)
    // The first message tells what a thread is about.
    .orderBy(sql`case when message_id = thread then 0 else 1 end`)
    .orderBy("message_id", "desc")
    .limit(limit)
    .execute();
  return rows.toSorted((one, other) => (one.message_id < other.message_id ? -1 : 1));
}

type RecentThreads = Pick<ThreadKey, "connection_id" | "channel"> & { usedSince: number };

/** The latest other messages in the recently used threads of a channel, oldest first. */
export async function findChannelMessages(
  { kysely }: Database,
  { connection_id: connectionId, channel, usedSince }: RecentThreads,
  { except, limit }: { except: string; limit: number },
): Promise<ChatMessageTable[]> {
  const rows = await kysely
    .selectFrom("chat_messages as m")
    .innerJoin("chat_threads as t", (join) =>
      join
        .onRef("t.connection_id", "=", "m.connection_id")
        .onRef("t.channel", "=", "m.channel")
        .onRef("t.thread", "=", "m.thread"),
    )
    .selectAll("m")
    .where("m.connection_id", "=", connectionId)
    .where("m.channel", "=", channel)
    .where("t.used_at", ">=", usedSince)
    .where("m.message_id", "<>", except)
    .orderBy("m.message_id", "desc")
    .limit(limit)
    .execute();
  return rows.toReversed();
}

/** Deletes all but the first and the latest messages of a thread. */
export function trimThread({ kysely }: Database, key: ThreadKey, keep: number): CompiledQuery {
  const oldest = kysely
    .selectFrom("chat_messages")
    .select("message_id")
    .where("connection_id", "=", key.connection_id)
    .where("channel", "=", key.channel)
    .where("thread", "=", key.thread)
    .orderBy("message_id", "desc")
    .offset(keep)
    .limit(1);
  return kysely
    .deleteFrom("chat_messages")
    .where("connection_id", "=", key.connection_id)
    .where("channel", "=", key.channel)
    .where("thread", "=", key.thread)
    .where("message_id", "<>", key.thread)
    .where("message_id", "<=", oldest)
    .compile();
}

/** Deletes threads in which the bot was not asked since a time, with their messages. */
export async function deleteUnusedThreads({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom("chat_threads").where("used_at", "<", before).execute();
}
