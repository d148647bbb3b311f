/** A crew to start from. */
export const crewTemplate = (name: string) => `import { defineCrew, z } from 'signoff/crew';

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
