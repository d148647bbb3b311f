import { forEachFile, type Rule, type TestedRule } from './rule.ts';

const EMPTY_NAMES = /(^|-)(utils?|helpers?|common|managers?|misc|shared|index)$/;

const stemOf = (path: string) => path.replace(/(\.[a-z]+)+$/, '');

/** The service that the sandbox runs, a thing of its own. */
const isCrewService = (path: string) => /^(src|test)\/sandbox\/.*crew-service\./.test(path);

/** A folder is named after its thing, a file after what it exports. The linter holds the kebab-case of files. */
const names = forEachFile(({ path }) => {
  const parts = stemOf(path).split('/');
  const file = parts.at(-1) ?? '';
  return [
    ...parts.filter((part) => EMPTY_NAMES.test(part)).map((part) => `"${part}" says nothing`),
    ...(/(^|-)services?$/.test(file) && !isCrewService(path) ? [`"${file}" says nothing`] : []),
    ...parts.filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part)).map((part) => `"${part}" is not kebab-case`),
  ];
});

/** A reader of `x.ts` beside `x/` can't tell which of the two holds a thing. */
const noTwins: Rule = (files) => {
  const folders = new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf('/'))));
  return files
    .filter(({ path }) => folders.has(stemOf(path)))
    .map(({ path }) => `${path}: stands beside ${stemOf(path)}/`);
};

export const FILE_RULES: Record<string, TestedRule> = {
  'names say what a thing is': {
    rule: names,
    folders: ['src', 'test'],
    broken: [
      { 'src/slack/utils.ts': '' },
      { 'src/slack/text-helpers.ts': '' },
      { 'src/core/common/time.ts': '' },
      { 'src/core/index.ts': '' },
      { 'src/redis/connection-manager.ts': '' },
      { 'src/crew/crew-service.ts': '' },
      { 'src/Crew/client.ts': '' },
    ],
    kept: [{ 'src/sandbox/crew-service/start-crew-service.ts': '' }, { 'test/end-to-end/restart.slow.test.ts': '' }],
  },
  'no file shares its name with a folder beside it': {
    rule: noTwins,
    folders: ['src', 'test'],
    broken: [
      { 'src/core/approval.ts': '', 'src/core/approval/decide.ts': '' },
      { 'test/crew/client.test.ts': '', 'test/crew/client/call.test.ts': '' },
    ],
    kept: [{ 'src/core/approval/approval.ts': '', 'src/core/time.ts': '' }],
  },
};
