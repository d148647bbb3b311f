import type { MadeCommit } from '../crew-service/crews/git-repository.ts';

const AUTHORS = ['Ana López', 'Ben Okafor', 'Chloé Martin', 'Emi Sato'];

const MESSAGES: readonly (readonly [message: string, file: string])[] = [
  ['chore: begin version 2.4', 'package.json'],
  ['feat(board): let people drag cards between columns', 'src/board/drag.ts'],
  ['fix(login): keep people signed in after a restart', 'src/login/session.ts'],
  ['test(board): cover two people who move the same card', 'test/board/move.test.ts'],
  ['docs: explain how to run a server of your own', 'docs/hosting.md'],
  ['feat(search): find cards by label and by author', 'src/search/query.ts'],
  ['chore(deps): bump vite from 7.1.2 to 7.1.5', 'package.json'],
  ['fix(board): stop cards from jumping back after a move', 'src/board/move.ts'],
  ['test(search): cover labels with spaces', 'test/search/labels.test.ts'],
  ['feat(export): download a board as a spreadsheet', 'src/export/sheet.ts'],
  ['refactor(mail): give each kind of mail a file of its own', 'src/mail/weekly.ts'],
  ['fix(mail): send the weekly summary once, not twice', 'src/mail/weekly.ts'],
  ['chore(ci): run the browser tests on every push', '.github/workflows/test.yml'],
  ['perf(search): answer in 40 ms on boards with 10,000 cards', 'src/search/index.ts'],
  ['test(mail): cover people in several time zones', 'test/mail/zones.test.ts'],
  ['feat(board): show who else is looking at a card', 'src/board/present.ts'],
  ['docs: list the keys that move cards', 'docs/keys.md'],
  ['fix(export): keep umlauts in file names', 'src/export/sheet.ts'],
  ['chore(deps): bump undici from 7.1.0 to 7.2.0', 'package.json'],
  ['test(export): cover boards without any cards', 'test/export/empty.test.ts'],
  ['test(mail): cover summaries on the first of a month', 'test/mail/day.test.ts'],
  ['docs: say how labels are compared', 'docs/search.md'],
  ['chore: update the list of contributors', 'CONTRIBUTORS.md'],
  ['test(login): cover a password that was just changed', 'test/login/password.test.ts'],
];

/** A few weeks in the life of a made-up project: two dozen commits by four people, the first of them tagged v2.3. */
export function cardwallHistory(): MadeCommit[] {
  return MESSAGES.map(([message, file], index) => ({
    author: AUTHORS[(index * 3) % AUTHORS.length] ?? '',
    at: new Date(Date.UTC(2026, 9, 5, 9) + index * 23 * 3_600_000).toISOString(),
    message,
    file,
    ...(index === 0 && { tag: 'v2.3' }),
  }));
}
