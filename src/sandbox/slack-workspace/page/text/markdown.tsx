import { useMemo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Emoji } from './emoji.tsx';
import { Link } from './link.tsx';
import { hideTokens, type MarkdownNode, restoreTokens } from './mark-live-tokens.ts';
import { parseToken } from './parse-token.ts';
import { TokenView } from './token.tsx';

/** Standard Markdown. HTML is shown as text, and images become links, as in Slack. */
export function Markdown({ source }: { source: string }) {
  const { text, tokens } = useMemo(() => hideTokens(source), [source]);
  const plugins = useMemo(() => [remarkGfm, () => (tree: MarkdownNode) => restoreTokens(tree, tokens)], [tokens]);
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={plugins} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <Link href={href ?? ''}>{children}</Link>,
  img: ({ src, alt }) => <Link href={typeof src === 'string' ? src : ''}>{alt || 'image'}</Link>,
  span: ({ children, ...properties }) => <Marked properties={properties}>{children}</Marked>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
    <section className="table-scroll" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
  // Headings in a message must not outrank the page's own.
  h1: ({ children }) => <h4 className="markdown-h1">{children}</h4>,
  h2: ({ children }) => <h4 className="markdown-h2">{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  input: ({ checked }) => <input type="checkbox" checked={checked} readOnly disabled aria-label="Task" />,
};

function Marked({ properties, children }: { properties: object; children: React.ReactNode }) {
  if ('data-emoji' in properties) return <Emoji name={String(properties['data-emoji'])} />;
  const token = 'data-token' in properties ? parseToken(String(properties['data-token'])) : undefined;
  return token ? <TokenView token={token} /> : <span>{children}</span>;
}
