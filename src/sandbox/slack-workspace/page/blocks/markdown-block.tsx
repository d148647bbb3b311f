import type { ComponentType } from 'react';

let Markdown: ComponentType<{ source: string }> | undefined;

/**
 * Resolves when the renderer is there, or can't be loaded. It is half as large as the rest of the page, and loaded
 * while the page connects; shown before it has come, every card would jump.
 */
export const markdownLoaded: Promise<void> = import('../text/markdown.tsx').then(
  (loaded) => {
    Markdown = loaded.Markdown;
  },
  () => undefined,
);

/** A `markdown` block; its source where the renderer can't be loaded. */
export function MarkdownBlockView({ source }: { source: string }) {
  return Markdown ? <Markdown source={source} /> : <p className="lines">{source}</p>;
}
