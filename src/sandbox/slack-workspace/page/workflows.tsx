import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import type { WorkflowOffer, WorkflowOutput, WorkflowRun, WorkflowRunStep } from '../people-api.ts';
import type { ViewInputs } from '../person-actions.ts';
import { Asked } from './administration/controls.tsx';
import { Blocks } from './blocks/block.tsx';
import { type Surface, SurfaceProvider } from './elements/use-element.tsx';
import { withInput } from './messages/message.tsx';
import { Dialog } from './shell/dialog.tsx';
import { Icon } from './shell/icon.tsx';
import { useAct } from './state/acting.tsx';
import { useDirectory } from './state/directory.tsx';
import { Fold } from './text/fold.tsx';
import { DateView, Link } from './text/mrkdwn.tsx';
import { isSafeUrl } from './text/parse-mrkdwn.ts';

type Props = { workflows: WorkflowOffer[]; runs: WorkflowRun[] };

/** The workflows that the person can start, and what became of those that they have started. */
export function Workflows({ workflows, runs }: Props) {
  const [asked, setAsked] = useState<WorkflowOffer>();
  const act = useAct();
  const start = (offer: WorkflowOffer) =>
    offer.form.length > 0 ? setAsked(offer) : void act({ type: 'start-workflow', name: offer.name, inputs: {} });
  return (
    <section className="home workflows" aria-label="Workflows" data-focus-home="workflows" tabIndex={-1}>
      <ul className="rows" aria-label="Workflows">
        {workflows.map((offer) => (
          <li key={offer.name} className="row">
            <div className="row-words">
              <span className="row-name">{offer.name}</span>
              {offer.description !== '' && <span>{offer.description}</span>}
              <span className="choice-description">{offer.steps.join(' → ')}</span>
            </div>
            <button
              type="button"
              className="button button-primary"
              aria-label={`Run ${offer.name}`}
              onClick={() => start(offer)}
            >
              Run{offer.form.length > 0 && '…'}
            </button>
          </li>
        ))}
      </ul>
      <h2>Your runs</h2>
      {runs.length === 0 && <p className="choice-description">You haven’t run a workflow yet.</p>}
      <ul className="rows" aria-label="Your runs, newest first">
        {runs.map((run) => (
          <RunView key={run.id} run={run} />
        ))}
      </ul>
      {asked && <FormDialog offer={asked} close={() => setAsked(undefined)} />}
    </section>
  );
}

const STATUSES = { running: 'Running', completed: 'Done', failed: 'Failed', cancelled: 'Cancelled' };

function RunView({ run }: { run: WorkflowRun }) {
  const act = useAct();
  const { id, name, startedAt, status, error, steps } = run;
  const at = steps.findIndex((step) => step.status === 'running');
  const progress = at === -1 ? '' : `, step ${at + 1} of ${steps.length}`;
  return (
    <li className="row run" data-focus-home={id} tabIndex={-1}>
      <div className="row-words">
        <span className="row-name">
          {name}
          <span className="run-status" data-status={status} role="status">
            <span className="visually-hidden">{name}: </span>
            {STATUSES[status]}
            {progress}
          </span>
        </span>
        <span className="choice-description">
          Started <DateView atMs={startedAt} format="{date_short_pretty} at {time_secs}" fallback="" />
        </span>
      </div>
      {status === 'running' && (
        <Asked
          what="Cancel"
          whom={name}
          warning="The app isn’t told of it, as in Slack."
          decline="Keep it running"
          confirmed={() => void act({ type: 'cancel-workflow', runId: id })}
        />
      )}
      {error !== undefined && (
        <p className="run-error" role="alert">
          {error}
        </p>
      )}
      <ol className="run-steps" aria-label={`Steps of ${name}`}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity, and stay in their order
          <StepView key={index} step={step} />
        ))}
      </ol>
    </li>
  );
}

const STEPS = {
  waiting: ['pending', 'not begun'],
  running: ['more', 'running'],
  completed: ['check', 'done'],
  failed: ['failed', 'failed'],
  cancelled: ['close', 'cancelled'],
} as const;

function StepView({ step: { title, status, outputs } }: { step: WorkflowRunStep }) {
  const [icon, word] = STEPS[status];
  return (
    <li data-status={status}>
      <Icon name={icon} />
      <div className="run-step">
        {title} <span className="run-word">{word}</span>
        {outputs.length > 0 && (
          <dl>
            {outputs.map((output) => (
              <div key={output.name}>
                <dt>{output.title}</dt>
                <dd>
                  <OutputView output={output} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  );
}

function OutputView({ output: { type, value } }: { output: WorkflowOutput }) {
  const directory = useDirectory();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'slack#/types/user_id') return directory.memberName(text);
  if (type === 'slack#/types/channel_id') return `#${directory.channelName(text) ?? text}`;
  if (isSafeUrl(text)) return <Link href={text}>{text}</Link>;
  return (
    <Fold>
      <p className="lines">{text}</p>
    </Fold>
  );
}

/** Shows the form of a workflow before it starts. */
function FormDialog({ offer, close }: { offer: WorkflowOffer; close(): void }) {
  const titleId = useId();
  const act = useAct();
  const [inputs, setInputs] = useState<ViewInputs>({});
  const [errors, setErrors] = useState<Surface['errors']>({});
  const surface: Surface = {
    key: titleId,
    heading: 'h3',
    isFrozen: false,
    errors,
    valueOf: (blockId, actionId) => inputs[blockId]?.[actionId],
    hold: (blockId, actionId, input) => setInputs((was) => withInput(was, blockId, actionId, input)),
    // None of its fields tells the app anything.
    use: async () => undefined,
  };
  const start = async () => {
    const outcome = await act({ type: 'start-workflow', name: offer.name, inputs });
    if (!outcome.ok && outcome.problem.errors) setErrors(outcome.problem.errors);
    else close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void start();
  };
  return (
    <Dialog className="modal" labelledBy={titleId} onClose={close}>
      <form className="modal-form" noValidate onSubmit={submit} onKeyDown={onKeyDown}>
        <header className="modal-head">
          <h2 id={titleId}>{offer.name}</h2>
        </header>
        <div className="modal-body">
          <SurfaceProvider value={surface}>
            <Blocks blocks={offer.form} />
          </SurfaceProvider>
        </div>
        <footer className="dialog-buttons">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button button-primary">
            Run
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
