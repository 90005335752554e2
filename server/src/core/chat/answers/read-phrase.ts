const phrases = {
  help: /^(?:help|help me|what can you do|what do you do|how does this work|\?)$/,
  listTools:
    /^(?:(?:please )?(?:list|show)(?: me)?(?: all| all the| the| my| your)? tools|(?:which|what) tools (?:are there|do you have|can you run|can i use)|tools)$/,
  stop: /^(?:please )?(?:stop|stop it|cancel|cancel it|abort|never ?mind)$/,
  thanks:
    /^(?:(?:ok|okay|great|perfect|nice|cool) )?(?:thanks|thank you|thx|ty|cheers)(?: a lot| so much| very much)?$/,
} as const;

export type Phrase = keyof typeof phrases;

/** The phrase that a whole message is, such as "stop"; undefined for any other message. */
export function readPhrase(text: string): Phrase | undefined {
  if (text.length > 60) return undefined;
  const words = text
    .toLowerCase()
    .replaceAll(/[!.,…]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .replace(/(.)\?$/, "$1")
    .trim();
  return (Object.keys(phrases) as Phrase[]).find((name) => phrases[name].test(words));
}
