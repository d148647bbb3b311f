import { isNode, nameOf, type SyntaxNode } from '../support/source-files.ts';
import { layerOf } from './layers.ts';
import { forEachFile, type TestedRule } from './rule.ts';

/** Heavy packages that the bot needs only after its start, or not in every mode. */
const LAZY = ['undici', 'yaml', '@slack/socket-mode'];

function lazyPackageOf({ type, importKind, source }: SyntaxNode): string[] {
  if (type !== 'ImportDeclaration' || importKind === 'type' || !isNode(source)) return [];
  const name = nameOf(source);
  return name !== undefined && LAZY.includes(name) ? [`${name} must be loaded only when it is needed`] : [];
}

/** The doctor is a program of its own. */
const PROGRAMS_OF_THEIR_OWN = ['doctor', 'sandbox', 'setup'];

const loadsLazily = forEachFile(({ path, nodes }) =>
  PROGRAMS_OF_THEIR_OWN.includes(layerOf(path) ?? '') ? [] : nodes.flatMap(lazyPackageOf),
);

export const LAZY_PACKAGE_RULES: Record<string, TestedRule> = {
  'the start of the bot does not wait for packages that it can do without': {
    rule: loadsLazily,
    folders: ['src'],
    broken: [
      { 'src/crew/client/call.ts': `import { Agent } from 'undici';` },
      { 'src/crew/client/call.ts': `import { type Agent } from 'undici';` },
      { 'src/config/yaml-file.ts': `import * as yaml from 'yaml';` },
    ],
    kept: [
      { 'src/crew/client/call.ts': `import type { Agent } from 'undici'; const { Client } = await import('undici');` },
      { 'src/doctor/ask-http.ts': `import { request } from 'undici';` },
    ],
  },
};
