import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the newest version in the changelog is that of the package, which the lockfile has, too', () => {
  const { version } = JSON.parse(read('package.json'));
  const { packages } = JSON.parse(read('package-lock.json'));
  const headings = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name);
  if (headings[0] === 'Unreleased') headings.shift();
  expect([headings[0], packages[''].version]).toEqual([version, version]);
});

it('its latest section has the headings of Keep a Changelog, and what an upgrade needs', () => {
  const [, section = ''] = read('CHANGELOG.md').split(/^## /m);
  const known = ['You have to', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  expect(headings[0]).toBe('You have to');
  expect(known).toEqual(expect.arrayContaining(headings));
});
