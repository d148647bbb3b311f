import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { pageFolder } from '../../../../src/sandbox/slack-workspace/page-folder.ts';

// 17,000 of them are the names of all emoji, without which the first message can't be shown.
const MOST_FIRST_BYTES = 125_000;

it('is quick to load', async () => {
  const assets = join(pageFolder(), 'assets');
  // The renderers of Markdown and charts are fetched while the page connects, its own dialogs when one is opened.
  const first = (await readdir(assets)).filter((name) => !/^(markdown|chart|own-dialog)/.test(name));
  const sizes = await Promise.all(first.map(async (name) => gzipSync(await readFile(join(assets, name))).length));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_FIRST_BYTES);
});
