import type { SourceFile } from '../support/source-files.ts';

/** What is wrong with these files, one sentence per fault; empty when they follow the rule. */
export type Rule = (files: readonly SourceFile[]) => string[];

/** Made-up files: their text by path. */
export type Example = Readonly<Record<string, string>>;

export type TestedRule = {
  rule: Rule;
  /** The folders it reads. */
  folders: readonly ('src' | 'test')[];
  /** Each must be reported, or the rule could never fail. */
  broken: readonly Example[];
  kept: readonly Example[];
};

/** A rule that looks at one file at a time; its sentences are prefixed with the path. */
export const forEachFile =
  (faultsOf: (file: SourceFile) => string[]): Rule =>
  (files) =>
    files.flatMap((file) => faultsOf(file).map((fault) => `${file.path}: ${fault}`));
