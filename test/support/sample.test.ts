import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SAMPLING } from './sample.ts';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

const matches = (glob: string) => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);

it('the long tests try all cases of what tries a sample here', () => {
  const listed = SAMPLING.map(matches);
  const files = readdirSync(join(CHECKOUT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.split(sep).join('/')}`)
    .filter((file) => /(?<!\.long)\.test\.ts$/.test(file))
    .filter((file) => /\b(someOfEach|everyNth|runs)\b.*\/sample\.ts'/.test(readFileSync(join(CHECKOUT, file), 'utf8')));
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !listed.some((each) => each.test(file)))).toEqual([]);
});
