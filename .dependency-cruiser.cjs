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
  ledger: ['conditions', 'crew', 'redis', 'core'],
  'step-up': ['slack', 'redis', 'core'],
  config: ['conditions', 'ledger', 'step-up', 'redis', 'core'],
  http: ['crew', 'step-up', 'core'],
  metrics: ['crew', 'slack', 'redis', 'core'],
  doctor: ['config', 'http', 'ledger', 'step-up', 'crew', 'slack', 'redis', 'core'],
  simulation: ['doctor', 'config', 'ledger', 'core'],
  app: ['config', 'http', 'worker', 'metrics', 'ledger', 'step-up', 'crew', 'slack', 'redis', 'core'],
  // The sandbox shares nothing with production, so that it is an independent counterpart.
  sandbox: ['setup'],
  'sandbox/crew-service': [],
  'sandbox/slack-workspace': [],
  setup: [],
};

const FOLDERS = Object.keys(MAY_IMPORT).filter((folder) => !folder.includes('/'));

/** @param {string[]} folders */
const inside = (folders) => `^src/(${folders.join('|')})/`;

const SHARED_IN_SLACK = inside(['slack/api', 'slack/directory', 'slack/inbox', 'slack/language', 'slack/ui']);

const layers = Object.entries(MAY_IMPORT).map(([folder, others]) => ({
  name: `${folder} may import ${others.length === 0 ? 'no other folder' : `only ${others.join(', ')}`}`,
  severity: 'error',
  from: { path: inside([folder]) },
  to: { path: ['^src/', '^test/'], pathNot: inside([folder, ...others]) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layers,
    {
      name: 'every folder of src/ has its place among the layers',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: inside(FOLDERS) },
      to: {},
    },
    {
      name: 'entry points import no sandbox and no test',
      comment: 'What they say for --help is also said before anything is built.',
      severity: 'error',
      from: { path: '^src/[^/]+$' },
      to: { path: ['^src/(sandbox|setup)/', '^test/'], pathNot: '^src/setup/usage[.]mjs$' },
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
      name: 'what the features of Slack share imports none of them',
      comment: 'The catalogues gather the words that each feature keeps.',
      severity: 'error',
      from: { path: SHARED_IN_SLACK },
      to: { path: '^src/slack/', pathNot: [SHARED_IN_SLACK, 'words[.]ts$'] },
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
