import { parser } from '@prometheus-io/lezer-promql';

export interface Selector {
  metric: string;
  matchers: { label: string; operator: string; value: string }[];
  /** The innermost function that it is given to: `rate`; null if there is none. */
  givenTo: string | null;
}

/** What an expression of PromQL names; `broken` is what of it can't be parsed. */
export interface Expression {
  broken: string[];
  selectors: Selector[];
  /** Those of `by`, `without`, `on` and `ignoring`. */
  groupedBy: string[];
}

type Tree = ReturnType<typeof parser.parse>;
type Node = Tree['topNode'];

export function parseExpression(text: string): Expression {
  const found: Expression = { broken: [], selectors: [], groupedBy: [] };
  const textOf = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  parser.parse(text).iterate({
    enter({ node }) {
      if (node.type.isError) found.broken.push(`at ${node.from}: ${text.slice(node.from)}`);
      if (node.name === 'VectorSelector') found.selectors.push(selectorOf(node, textOf));
      if (node.name === 'GroupingLabels') found.groupedBy.push(...node.getChildren('LabelName').map(textOf));
    },
  });
  return found;
}

function selectorOf(node: Node, textOf: (node: Node) => string): Selector {
  const name = node.getChild('Identifier');
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  const part = (matcher: Node, type: string) => {
    const child = matcher.getChild(type);
    return child ? textOf(child) : '';
  };
  return {
    metric: name ? textOf(name) : '',
    matchers: matchers.map((matcher) => ({
      label: part(matcher, 'LabelName'),
      operator: part(matcher, 'MatchOp'),
      value: part(matcher, 'StringLiteral').slice(1, -1),
    })),
    givenTo: functionAround(node, textOf),
  };
}

function functionAround(node: Node, textOf: (node: Node) => string): string | null {
  for (let around = node.parent; around; around = around.parent) {
    const name = around.name === 'FunctionCall' ? around.getChild('FunctionIdentifier') : null;
    if (name) return textOf(name);
  }
  return null;
}
