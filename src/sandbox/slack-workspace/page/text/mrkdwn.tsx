import { useMemo } from 'react';
import { Emoji } from './emoji.tsx';
import { type Inline, type Paragraph, parseMrkdwn } from './parse-mrkdwn.ts';
import { TokenView } from './token.tsx';

export function Mrkdwn({ text, verbatim = false }: { text: string; verbatim?: boolean | undefined }) {
  const paragraphs = useMemo(() => parseMrkdwn(text, { verbatim }), [text, verbatim]);
  // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of one text have no other identity
  return paragraphs.map((paragraph, index) => <ParagraphView key={index} paragraph={paragraph} />);
}

function ParagraphView({ paragraph }: { paragraph: Paragraph }) {
  const children = <Inlines nodes={paragraph.children} />;
  switch (paragraph.kind) {
    case 'lines':
      return <p className="lines">{children}</p>;
    case 'quote':
      return <blockquote className="lines">{children}</blockquote>;
    case 'pre':
      return (
        <pre>
          <code>{children}</code>
        </pre>
      );
  }
}

function Inlines({ nodes }: { nodes: Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
  return nodes.map((node, index) => <InlineView key={index} node={node} />);
}

function InlineView({ node }: { node: Inline }) {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'emoji':
      return <Emoji name={node.name} />;
    case 'token':
      return <TokenView token={node.token} />;
    case 'code':
      return (
        <code>
          <Inlines nodes={node.children} />
        </code>
      );
    case 'bold':
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Inlines nodes={node.children} />
        </s>
      );
  }
}
