import type { Task } from '../../coded-crew.ts';
import type { Steps } from '../../executions/crew-code.ts';
import { performTask } from '../../executions/perform-task.ts';
import type { Json } from '../../json.ts';
import type { ModelSettings } from '../../model/model-settings.ts';
import { untilAborted } from '../../until-aborted.ts';
import type { FromProcess, Request } from '../messages.ts';

type PerformRequest = Extract<Request, { type: 'perform' }> & { readonly id: number };

/** Runs the code of tasks, each by the id of its request. */
interface Performer {
  perform(tasks: readonly Task[], request: PerformRequest): Promise<Json>;
  /** The service has stored what was reported with this number. */
  stored(reported: number): void;
  abort(id: number, reason: string): void;
}

export function createPerformer(say: (message: FromProcess) => void, model: ModelSettings | undefined): Performer {
  const controllers = new Map<number, AbortController>();
  const waiting = new Map<number, () => void>();
  let lastReported = 0;

  /** Resolves once the service has stored it. */
  function report(message: (reported: number) => FromProcess): Promise<void> {
    const reported = ++lastReported;
    return new Promise((resolve) => {
      waiting.set(reported, resolve);
      say(message(reported));
    });
  }

  function stepsFor({ id, done }: PerformRequest, signal: AbortSignal): Steps {
    return {
      done: new Map(done),
      store: (step) =>
        untilAborted(
          report((reported) => ({ type: 'step', id, reported, ...step })),
          signal,
        ),
      tell: (told) =>
        untilAborted(
          report((reported) => ({ type: 'tell', id, reported, report: told })),
          signal,
        ),
    };
  }

  return {
    async perform(tasks, request) {
      const controller = new AbortController();
      controllers.set(request.id, controller);
      const { signal } = controller;
      try {
        const { attempt } = request;
        return await performTask({ tasks, attempt, steps: stepsFor(request, signal), model, signal });
      } finally {
        controllers.delete(request.id);
      }
    },
    stored(reported) {
      waiting.get(reported)?.();
      waiting.delete(reported);
    },
    abort: (id, reason) => controllers.get(id)?.abort(new DOMException(reason, 'AbortError')),
  };
}
