import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseSource, sourceFilesIn } from '../support/source-files.ts';
import { CODE_RULES } from './code.ts';
import { CORE_RULES } from './core.ts';
import { FILE_RULES } from './files.ts';
import { GLOSSARY_RULES } from './glossary.ts';
import { LAYER_RULES } from './layers.ts';
import { LAZY_PACKAGE_RULES } from './lazy-packages.ts';
import type { Example } from './rule.ts';
import { SENTENCE_RULES } from './sentences.ts';
import { EXPORT_RULES } from './unused-exports.ts';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const TREE = { src: sourceFilesIn(CHECKOUT, 'src'), test: sourceFilesIn(CHECKOUT, 'test') };

const RULES = {
  ...{ ...LAYER_RULES, ...FILE_RULES, ...CORE_RULES, ...CODE_RULES, ...EXPORT_RULES, ...GLOSSARY_RULES },
  ...LAZY_PACKAGE_RULES,
  ...SENTENCE_RULES,
};

const filesOf = (example: Example) => Object.entries(example).map(([path, text]) => parseSource(path, text));

/** Each example with a title that a person can read. */
const titled = (examples: readonly Example[]) =>
  examples.map((example) => ({
    example,
    title: Object.entries(example)
      .map(([path, text]) => `${path}: ${text.trim().slice(0, 100)}`)
      .join(', '),
  }));

describe.each(Object.entries(RULES))('%s', (_name, { rule, folders, broken, kept }) => {
  it('holds', () => {
    expect(rule(folders.flatMap((folder) => TREE[folder]))).toEqual([]);
  });

  it.each(titled(broken))('is broken by $title', ({ example }) => {
    expect(rule(filesOf(example))).not.toEqual([]);
  });

  it.each(titled(kept))('is kept by $title', ({ example }) => {
    expect(rule(filesOf(example))).toEqual([]);
  });
});
