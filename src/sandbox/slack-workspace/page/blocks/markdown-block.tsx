import type { ComponentType } from 'react';

let Markdown: ComponentType<{ source: string }> | undefined;

/**
 * Resolves when the renderer has loaded or failed to. It adds half the page's size again, so it loads while the page
 * connects; rendering before that would make every card jump.
 */
export const markdownLoaded: Promise<void> = import('../text/markdown.tsx').then(
  (loaded) => {
    Markdown = loaded.Markdown;
  },
  () => undefined,
);

/** A `markdown` block, or its source if the renderer can't be loaded. */
export function MarkdownBlockView({ source }: { source: string }) {
  return Markdown ? <Markdown source={source} /> : <p className="lines">{source}</p>;
}
