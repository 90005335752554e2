import markdownIt, { type MarkdownItOptions } from "markdown-it";

type Input = { markdown: string; linkBareUrls?: boolean; keepLineBreaks?: boolean };
type Heading = { level: number; text: string };
type Output = { html: string; headings: Heading[] };

/** Renders Markdown to safe HTML: HTML in the source is shown as text. */
export default async function markdownToHtml(input: Input): Promise<Output> {
  const options: MarkdownItOptions = {
    // The two rules that make the output safe: no raw HTML, and (always on) no javascript: links.
    html: false,
    linkify: input.linkBareUrls ?? true,
    breaks: input.keepLineBreaks ?? false,
  };
  const renderer = markdownIt(options);
  const tokens = renderer.parse(input.markdown, {});

  const headings = tokens.flatMap((token, index) =>
    token.type === "heading_open"
      ? [{ level: Number(token.tag.slice(1)), text: tokens[index + 1]?.content ?? "" }]
      : [],
  );
  return { html: renderer.renderer.render(tokens, renderer.options, {}), headings };
}
