import { describe, expect, it } from "vitest";
import {
  activity,
  placeOf,
  readTeamsText,
  toActivityId,
  toChatFiles,
  toConversationId,
  toMessageId,
} from "./teams-activity.ts";

const given = (rest: object) =>
  activity.parse({
    type: "message",
    id: "1795000000000",
    channelId: "msteams",
    serviceUrl: "https://smba.trafficmanager.net/teams/",
    from: { id: "29:ada" },
    conversation: { id: "19:x@thread.tacv2;messageid=1794000000000", conversationType: "channel" },
    channelData: { tenant: { id: "T" } },
    ...rest,
  });
const mentionOf = (id: string, name: string) => ({
  type: "mention",
  text: `<at>${name}</at>`,
  mentioned: { id, name },
});

describe("readTeamsText", () => {
  it("removes the mention of the bot, and names other people", () => {
    const entities = [mentionOf("28:APP", "Toolhost"), mentionOf("29:bob", "Bob"), { type: "x" }];
    const text = "<at>Toolhost</at>&nbsp;ask <at>Bob</at> if 1 &lt; 2 &amp;&amp; &quot;x&quot;\n";
    const read = readTeamsText(given({ text, entities }), "28:app");
    expect(read).toEqual({ text: 'ask @Bob if 1 < 2 && "x"', isMention: true });
  });

  it("reads a mention from entities, and not from words", () => {
    expect(readTeamsText(given({ text: "<at>Toolhost</at> hi" }), "28:app").isMention).toBe(false);
  });

  it("reads no name as a pattern or a mention, however many there are", () => {
    const entities = Array.from({ length: 400 }, () => mentionOf("29:eve", "$'$&"));
    const names = entities.map(() => "@$'$&").join("");
    const text = entities.map((one) => one.text).join("");
    expect(readTeamsText(given({ text, entities }), "28:app").text).toBe(names);
    const letters = entities.map((one) => ({ ...one, text: "a" }));
    expect(readTeamsText(given({ text: "a banana", entities: letters }), "28:app").text).toBe(
      "a banana",
    );
  });

  it("decodes no character twice", () => {
    expect(readTeamsText(given({ text: "&amp;lt;" }), "28:app").text).toBe("&lt;");
  });
});

describe("placeOf", () => {
  it("returns the thread in a channel, and a thread of its own in a chat", () => {
    const inChannel = placeOf(given({}));
    expect(inChannel).toMatchObject({ teamId: "t", thread: "1794000000000", isChat: false });
    expect(toConversationId(inChannel)).toBe("19:x@thread.tacv2;messageid=1794000000000");
    const inChat = placeOf(given({ conversation: { id: "a:1", conversationType: "personal" } }));
    expect(inChat).toMatchObject({ channel: "a:1", isChat: true });
    expect(toConversationId(inChat)).toBe("a:1");
  });
});

describe("toMessageId", () => {
  it("returns IDs that sort by time and contain the ID in Teams", () => {
    const first = toMessageId("1795000000000");
    const second = toMessageId("f:9", new Date(1_795_000_000_001).toISOString());
    const third = toMessageId("1795000000002");
    expect([third, first, second].toSorted()).toEqual([first, second, third]);
    expect([first, second].map(toActivityId)).toEqual(["1795000000000", "f:9"]);
  });
});

describe("toChatFiles", () => {
  it("returns shared files and pasted images, but not the HTML of the text", () => {
    const attachments = [
      { contentType: "text/html", content: "<p>x</p>" },
      {
        contentType: "application/vnd.microsoft.teams.file.download.info",
        name: "a b.csv",
        content: { downloadUrl: "https://x.sharepoint.com/a?t=1", fileType: "csv" },
      },
      { contentType: "image/*", contentUrl: "https://smba.trafficmanager.net/v3/attachments/1" },
      { contentType: "image/png", contentUrl: "javascript" },
    ];
    expect(toChatFiles(given({ attachments }))).toMatchObject([
      { id: "https://x.sharepoint.com/a?t=1#a%20b.csv", name: "a b.csv" },
      { name: "image" },
    ]);
  });
});
