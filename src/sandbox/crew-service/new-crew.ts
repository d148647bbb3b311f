// Writes a crew to start from, in the folder of its author.
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './command-line.ts';
import { CREW_NAME } from './define-crew.ts';
import { CREW_TYPES } from './places.ts';

/**
 * Writes a crew, and a tsconfig.json beside it that tells editors the types. Returns what to say about it.
 * Overwrites nothing: rejects with `UsageError` if the crew's file exists, and leaves a tsconfig.json as it is.
 */
export async function newCrew(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [name = '', folderName = 'crews', ...rest] = args;
  if (name === '' || rest.length > 0 || args.some((arg) => arg.startsWith('-')))
    throw new UsageError('Give a name, and a folder if you like: new NAME [FOLDER]');
  if (!CREW_NAME.test(name))
    throw new UsageError(`A crew's name has lower-case letters, digits and hyphens, not "${name}".`);
  const folder = resolve(folderName);
  const file = join(folder, `${name}.ts`);
  await mkdir(folder, { recursive: true });
  if (!(await isWritten(file, crewTemplate(name)))) throw new UsageError(`${file} exists already.`);
  await isWritten(join(folder, 'tsconfig.json'), `${JSON.stringify(compilerSettings(folder), null, 2)}\n`);
  return `${file} is a crew to start from. Run it:\n\n  CREW_SERVICE_TOKEN=your-own-token ${commandIn(folder, env)} --crews ${file}\n`;
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

/** https://docs.npmjs.com/cli/v11/using-npm/scripts#current-lifecycle-event */
function commandIn(folder: string, { npm_lifecycle_event }: NodeJS.ProcessEnv): string {
  if (npm_lifecycle_event === 'crew') return 'npm run crew --';
  return isInstalledIn(folder) ? 'npx crew-service' : 'crew-service';
}

function compilerSettings(folder: string) {
  const compilerOptions = {
    target: 'es2023',
    // Node.js would take the crew for CommonJS without a package.json.
    module: 'preserve',
    moduleResolution: 'bundler',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  };
  return { compilerOptions: { ...compilerOptions, ...packagesFor(folder) }, include: ['*.ts'] };
}

/** Finds for the compiler, where this program is, whatever the folder lacks. */
function packagesFor(folder: string) {
  const paths = { '@signoff/crew-service': [fileURLToPath(CREW_TYPES)] };
  const ofNode = '@types/node/package.json';
  const here = found(ofNode, folder) ?? found(ofNode, fileURLToPath(new URL('.', import.meta.url)));
  return {
    ...(!isInstalledIn(folder) && { paths }),
    ...(here && { types: ['node'], typeRoots: [dirname(dirname(here))] }),
  };
}

function isInstalledIn(folder: string): boolean {
  return found('@signoff/crew-service', folder) !== undefined;
}

/** The path of a package's file, as code in the folder would import it. */
function found(specifier: string, folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'crew.js')).resolve(specifier);
  } catch {
    return undefined;
  }
}

/** A crew to start from. */
const crewTemplate = (name: string) => `import { defineCrew, z } from '@signoff/crew-service';

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
