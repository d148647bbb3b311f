import { type ReactNode, useMemo } from 'react';
import type { Components } from 'react-markdown';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { TableScroll } from '../blocks/group.tsx';
import { BlockHeading } from '../blocks/heading.tsx';
import { hideTokens, type MarkdownNode, restoreTokens } from './markdown-tokens.ts';
import { Emoji, Link, TokenView } from './mrkdwn.tsx';
import { parseToken } from './parse-mrkdwn.ts';

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
    <TableScroll label="Table">
      <table>{children}</table>
    </TableScroll>
  ),
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  input: ({ checked }) => <input type="checkbox" checked={checked} readOnly disabled aria-label="Task" />,
};

function Heading({ children }: { children?: ReactNode }) {
  return <BlockHeading>{children}</BlockHeading>;
}

function Marked({ properties, children }: { properties: object; children: ReactNode }) {
  if ('data-emoji' in properties) return <Emoji name={String(properties['data-emoji'])} />;
  const token = 'data-token' in properties ? parseToken(String(properties['data-token'])) : undefined;
  return token ? <TokenView token={token} /> : <span>{children}</span>;
}
