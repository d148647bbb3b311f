// Which folder of src/ may import which: `npm run check` holds it. Biome finds cycles between files, knip what nothing imports.

/** What each folder may import besides itself. Never sideways, never up. */
const MAY_IMPORT = {
  core: [],
  crew: ['encryption', 'core'],
  slack: ['core'],
  redis: ['encryption', 'core'],
  worker: ['core'],
  conditions: ['core'],
  encryption: [],
  ledger: ['crew', 'redis', 'core'],
  'step-up': ['slack', 'redis', 'core'],
  config: ['conditions', 'ledger', 'step-up', 'redis', 'core'],
  http: ['crew', 'step-up', 'core'],
  metrics: ['crew', 'slack', 'redis', 'core'],
  bot: ['config', 'http', 'worker', 'metrics', 'ledger', 'step-up', 'crew', 'slack', 'redis', 'core'],
  // The sandbox shares nothing with production, so that it is an independent counterpart.
  sandbox: ['setup'],
  'sandbox/crew-service': [],
  'sandbox/slack-workspace': [],
  setup: [],
};

/**
 * The floors of a folder of src/, from the top. A folder may import only folders on lower floors, and those that its row lists, which
 * stand further down on its own floor. So no import points up, and no folders import each other in a circle. Every folder that holds
 * files has a row, subfolders as well; the row `.` is for the files right in the outer folder.
 *
 * @type {Record<string, Record<string, string[]>[]>}
 */
const FLOORS = {
  core: [
    { '.': [], inbox: [] },
    { messages: [] },
    { request: [] },
    { execution: [] },
    { policy: [] },
    { state: [] },
    { ledger: [] },
    { values: [] },
  ],
  slack: [
    { app: [] },
    { thread: [] },
    {
      'features/workflow': ['features/kickoff'],
      'features/kickoff/choice': ['features/kickoff'],
      'features/kickoff': ['features/run', 'features/tokens'],
      'features/review': ['features/home', 'features/reading'],
      'features/edit': ['features/card'],
      'features/card': ['features/home', 'features/tokens'],
      'features/home': ['features/settings'],
      'features/compare': [],
      'features/history': [],
      'features/reading': [],
      'features/run': [],
      'features/settings': [],
      'features/tokens': [],
    },
    { request: ['request/edits'], 'request/edits': [] },
    { messages: [] },
    { listening: [] },
    {
      directory: ['api', 'ui', 'ui/text'],
      receivers: ['api', 'ui', 'ui/text'],
      api: ['ui', 'ui/text'],
      'ui/comparison': ['ui', 'ui/text'],
      ui: ['ui/text'],
      'ui/text': [],
    },
    { language: ['language/words'], 'language/words': [] },
  ],
};

const FOLDERS = Object.keys(MAY_IMPORT).filter((folder) => !folder.includes('/'));

/**
 * The programs beside the bot, each in a folder of src/tools/, and the tools that it builds on: `policy replay` judges exports,
 * which `audit` reads and verifies. The files beside these folders are for all of them.
 */
const TOOLS = { audit: [], report: [], doctor: [], policy: ['audit'], webhook: [], mcp: [] };

/** @param {string[]} folders */
const inside = (folders) => `^src/(${folders.join('|')})/`;

const layers = Object.entries(MAY_IMPORT).map(([folder, others]) => ({
  name: `${folder} may import ${others.length === 0 ? 'no other folder' : `only ${others.join(', ')}`}`,
  severity: 'error',
  from: { path: inside([folder]) },
  to: { path: ['^src/', '^test/'], pathNot: inside([folder, ...others]) },
}));

/** @param {string} outer @param {string[]} folders */
const rightIn = (outer, folders) =>
  folders.map((folder) => (folder === '.' ? `^src/${outer}/[^/]+$` : `^src/${outer}/${folder}/[^/]+$`));

const floors = Object.entries(FLOORS).flatMap(([outer, ofOuter]) => {
  const rows = ofOuter.flatMap((floor, height) =>
    Object.entries(floor).map(([folder, listed]) => ({ folder, listed, height })),
  );
  const rules = rows.map(({ folder, listed, height }, i) => {
    const further = rows.slice(i + 1);
    const beside = further.filter((other) => other.height === height).map((other) => other.folder);
    const below = further.filter((other) => other.height > height).map((other) => other.folder);
    const wrong = listed.filter((other) => !beside.includes(other));
    if (wrong.length > 0)
      throw new Error(`${wrong.join(', ')} must stand on the floor of ${outer}/${folder}, further down`);
    return {
      name: `${outer}/${folder} may import only ${[...listed, 'lower floors'].join(', ')}`,
      severity: 'error',
      from: { path: rightIn(outer, [folder]) },
      to: { path: inside([outer]), pathNot: rightIn(outer, [folder, ...listed, ...below]) },
    };
  });
  const all = rows.map(({ folder }) => folder);
  const unlisted = { path: inside([outer]), pathNot: rightIn(outer, all) };
  return [...rules, { name: `every folder of ${outer} has its floor`, severity: 'error', from: unlisted, to: {} }];
});

const tools = Object.entries(TOOLS).map(([tool, others]) => ({
  name: `the tool ${tool} imports ${others.length === 0 ? 'no other tool' : `of the other tools only ${others.join(', ')}`}`,
  severity: 'error',
  from: { path: inside([`tools/${tool}`]) },
  to: { path: '^src/tools/[^/]+/', pathNot: inside([tool, ...others].map((each) => `tools/${each}`)) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layers,
    ...tools,
    {
      name: 'only tools import tools',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tools/' },
      to: { path: '^src/tools/' },
    },
    {
      name: 'what all tools may use imports none of them',
      severity: 'error',
      from: { path: '^src/tools/[^/]+$' },
      to: { path: '^src/tools/[^/]+/' },
    },
    {
      name: 'every tool says which others it builds on',
      severity: 'error',
      from: { path: '^src/tools/[^/]+/', pathNot: inside(Object.keys(TOOLS).map((tool) => `tools/${tool}`)) },
      to: {},
    },
    ...floors,
    {
      name: 'every folder of src/ has its place among the layers',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: inside([...FOLDERS, 'tools']) },
      to: {},
    },
    {
      name: 'entry points and tools import no other entry point, no sandbox and no test',
      comment: 'What they say for --help is also said before anything is built.',
      severity: 'error',
      from: { path: ['^src/[^/]+$', '^src/tools/'] },
      to: { path: ['^src/main[.]ts$', '^src/(sandbox|setup)/', '^test/'], pathNot: '^src/setup/usage[.]mjs$' },
    },
    {
      name: 'core imports no package and nothing of the platform',
      comment: 'Hashing is pure, and the ledger needs it.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { pathNot: ['^src/', '^crypto$'] },
    },
    {
      name: 'only the ledger of the core hashes',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '^src/core/ledger' },
      to: { path: '^crypto$' },
    },
    {
      name: 'features of Slack import no listeners of each other',
      comment: 'The slash command has subcommands of several features.',
      severity: 'error',
      from: { path: '^src/slack/features/([^/]+)/', pathNot: '/command[.]ts$' },
      to: { path: '^src/slack/features/.*/listeners[.]ts$', pathNot: '^src/slack/features/$1/' },
    },
    {
      name: 'names say what a thing is',
      severity: 'error',
      from: {},
      to: { path: '[/-](utils?|helpers?|common|managers?|misc|shared|index)[/.]', pathNot: '^node_modules/' },
    },
    { name: 'imports resolve', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^@signoff/' } },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Its swc reads no JSX: tsconfig.json of the page keeps these files to themselves.
    exclude: { path: ['[.]tsx$', '/sandbox/[^/]+/dist/'] },
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'types', 'default'], exportsFields: ['exports'] },
  },
};
