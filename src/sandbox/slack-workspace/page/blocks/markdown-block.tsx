import { lazy, Suspense } from 'react';

// Most pages show Markdown sooner or later, but not before the first paint.
const Markdown = lazy(() => import('../text/markdown.tsx'));

/** A `markdown` block; its source until the renderer has been loaded. */
export function MarkdownBlockView({ source }: { source: string }) {
  return (
    <Suspense fallback={<p className="lines">{source}</p>}>
      <Markdown source={source} />
    </Suspense>
  );
}
