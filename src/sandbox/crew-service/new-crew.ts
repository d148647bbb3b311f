import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './command-line.ts';
import { CREW_NAME } from './define-crew.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Writes a crew to start from, and a tsconfig.json beside it that tells editors the types. Returns what to say about it.
 * Overwrites nothing: rejects with `UsageError` if the crew's file exists, and leaves a tsconfig.json as it is.
 */
export async function newCrew(args: readonly string[]): Promise<string> {
  const [name = '', folder = 'crews', ...rest] = args;
  if (name === '' || rest.length > 0 || args.some((arg) => arg.startsWith('-')))
    throw new UsageError('Give a name, and a folder if you like: npm run crew -- new NAME [FOLDER]');
  if (!CREW_NAME.test(name))
    throw new UsageError(`A crew's name has lower-case letters, digits and hyphens, not "${name}".`);
  const file = join(resolve(folder), `${name}.ts`);
  await mkdir(resolve(folder), { recursive: true });
  if (!(await isWritten(file, crewTemplate(name)))) throw new UsageError(`${file} exists already.`);
  await isWritten(join(resolve(folder), 'tsconfig.json'), `${JSON.stringify(compilerSettings(), null, 2)}\n`);
  return `${file} is a crew to start from. Run it, from ${CHECKOUT}:\n\n  CREW_SERVICE_TOKEN=your-own-token npm run crew -- --crews ${file}\n`;
}

/** False for a file that exists already. */
async function isWritten(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The compiler checks this checkout's own files, too, so they need its settings. */
function compilerSettings() {
  return {
    extends: join(CHECKOUT, 'tsconfig.json'),
    compilerOptions: {
      // Without a package.json, Node.js's own rules would take the crew for CommonJS.
      module: 'preserve',
      moduleResolution: 'bundler',
      noUnusedLocals: false,
      noUnusedParameters: false,
      typeRoots: [join(CHECKOUT, 'node_modules/@types')],
      paths: { 'signoff/crew': [join(CHECKOUT, 'src/sandbox/crew-service/crew.ts')] },
    },
    include: ['*.ts'],
  };
}

/** A crew to start from. */
const crewTemplate = (name: string) => `import { defineCrew, z } from 'signoff/crew';

export const crews = [
  defineCrew({ name: '${name}', inputs: { topic: z.string().trim().min(1) } })
    .task('draft', {
      agent: { name: 'Writer', role: 'You write for colleagues.', goal: 'A text that is read to its end.' },
      humanInput: true,
      output: z.string(),
      async run({ inputs, previous, feedback, model, step }) {
        const wishes = feedback.map(({ text }) => text);
        // The model of OPENAI_BASE_URL and OPENAI_API_KEY.
        if (model.name === undefined)
          return step('Write', () => [\`About \${inputs.topic}\`, ...wishes].join('\\n'));
        const last = previous === undefined ? [] : ['Your last draft:', previous];
        const prompt = [\`Write about \${inputs.topic}.\`, ...last, 'Follow this:', ...wishes].join('\\n');
        return (await model.ask({ prompt })).text;
      },
    })
    .task('publish', {
      agent: 'Publisher',
      // Put what changes the world into a step: it isn't repeated after a restart.
      run: ({ outputs, step }) => step('Publish', () => \`Published: \${outputs.draft}\`),
    }),
];
`;
