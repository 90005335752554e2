const phrases = {
  help: /^(?:help|help me|what can you do|what do you do|who are you|what are you|how does this work|\?)$/,
  greeting: /^(?:hi|hello|hey|hi there|hello there|hey there|good (?:morning|afternoon|evening))$/,
  listTools:
    /^(?:(?:list|show)(?: me)?(?: all)?(?: the| my| your| our)? tools|(?:which|what) tools (?:are there|do you have|can you run|can i use)|tools)$/,
  stop: /^(?:(?:stop|cancel|abort)(?: it| that| this)?|never ?mind)$/,
  thanks:
    /^(?:(?:ok|okay|great|perfect|nice|cool) )?(?:thanks|thank you|thx|ty|cheers)(?: a lot| so much| very much)?$/,
} as const;

export type Phrase = keyof typeof phrases;

/** The phrase that a whole message is, such as "stop"; undefined for any other message. */
export function readPhrase(text: string): Phrase | undefined {
  if (text.length > 60) return undefined;
  const words = text
    .toLowerCase()
    .replaceAll(
      /:[a-z0-9_+-]+:|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D}|[!.,…]/gu,
      " ",
    )
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/(.)\?$/, "$1")
    .replace(/^please | please$/, "")
    .trim();
  return (Object.keys(phrases) as Phrase[]).find((name) => phrases[name].test(words));
}
