import type { Crew } from '../../coded-crew.ts';
import { describeTask } from '../../describe-task.ts';
import { errorMessage } from '../../error-message.ts';
import { type Json, jsonOf } from '../../json.ts';
import { modelSettingsIn } from '../../model/model-settings.ts';
import type { ScriptedCrew } from '../../sandbox-api/scripted-crew.ts';
import type { ToProcess } from '../messages.ts';
import { loadCrews } from './load-crews.ts';
import { createPerformer } from './performer.ts';
import { connectToService } from './service-socket.ts';

let crews: readonly (Crew | ScriptedCrew)[] = [];
const socket = connectToService(take);
const performer = createPerformer(socket.say, modelSettingsIn(process.env));

process.on('uncaughtException', (error) => endWith('Uncaught error', error));
process.on('unhandledRejection', (reason) => endWith('Unhandled rejection', reason));

function endWith(what: string, error: unknown): void {
  console.error(error);
  socket.sayAndEnd({ type: 'stray', message: `${what}: ${errorMessage(error)}` });
}

function take(message: ToProcess): void {
  switch (message.type) {
    case 'stored':
      performer.stored(message.reported);
      return;
    case 'abort':
      performer.abort(message.id, message.reason);
      return;
    case 'load':
    case 'check':
    case 'perform':
      void answer(message);
  }
}

type Asked = Exclude<ToProcess, { type: 'stored' | 'abort' }>;

async function answer(request: Asked): Promise<void> {
  const { id } = request;
  try {
    socket.say({ type: 'answer', id, value: await valueFor(request) });
  } catch (error) {
    console.error(error);
    socket.say({ type: 'error', id, message: errorMessage(error) });
  }
}

async function valueFor(request: Asked): Promise<Json> {
  switch (request.type) {
    case 'load':
      crews = await loadCrews(request.file, request.options);
      return jsonOf(crews.map(described), 'What describes the crews');
    case 'check':
      return jsonOf(await codeOf(request.crew).checkInputs(request.inputs), 'What the inputs were checked to');
    case 'perform':
      return performer.perform(codeOf(request.crew).tasks, request);
  }
}

function codeOf(name: string): Crew {
  const crew = crews.find((one) => one.name === name);
  if (crew?.kind !== 'coded') throw new Error(`The crew file no longer has a crew "${name}".`);
  return crew;
}

function described(crew: Crew | ScriptedCrew) {
  const { kind, name, inputNames } = crew;
  if (crew.kind === 'scripted') return { kind, name, inputNames, script: crew.script };
  return { kind, name, inputNames, tasks: crew.tasks.map(describeTask) };
}
