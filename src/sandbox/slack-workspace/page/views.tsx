import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { objectsAt } from '../json.ts';
import type { Block, HomeView, OpenView } from '../people-api.ts';
import type { PersonProblem, ViewInputs } from '../person-actions.ts';
import { Blocks } from './blocks/block.tsx';
import { type Surface, SurfaceProvider } from './elements/use-element.tsx';
import { withInput } from './messages/message.tsx';
import { Dialog } from './shell/dialog.tsx';
import { goBack, type Place, placeOf } from './shell/focus.ts';
import { Icon } from './shell/icon.tsx';
import { Avatar } from './shell/person.tsx';
import { useAct } from './state/acting.tsx';
import { useDirectory } from './state/directory.tsx';
import { textWithEmoji } from './text/emoji.ts';
import { excerpt } from './text/plain-text.ts';

/** The modal stack. Only the top view is visible. */
export function Modals({ modals, children }: { modals: OpenView[]; children: ReactNode }) {
  const act = useAct();
  const titleId = useId();
  const top = modals.at(-1);
  if (!top) return null;
  const close = (extent: 'one' | 'all') => void act({ type: 'close', viewId: top.id, extent });
  return (
    <Dialog className="modal" labelledBy={titleId} onClose={() => close('one')}>
      {modals.map((view) => (
        // Views below stay mounted, so that typed values are kept.
        <div key={view.id} hidden={view !== top} className="modal-view">
          <ModalView view={view} isTop={view === top} titleId={titleId} close={close} />
        </div>
      ))}
      {children}
    </Dialog>
  );
}

type Props = { view: OpenView; isTop: boolean; titleId: string; close(extent: 'one' | 'all'): void };

function ModalView({ view, isTop, titleId, close }: Props) {
  const act = useAct();
  const surface = useViewSurface(view, 'h3');
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isBusy = isSending || view.isSubmitting;
  const submit = async () => {
    if (isBusy || view.submitLabel === undefined) return;
    setSending(true);
    await act({ type: 'submit', viewId: view.id, inputs: surface.inputs });
    setSending(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
  };
  const news = useNews(form, view.hash);
  const focus = useFocusInView(form, view, isTop);
  return (
    <form
      ref={form}
      className="modal-form"
      noValidate
      data-focus-home={view.id}
      onKeyDown={onKeyDown}
      {...focus}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <header className="modal-head">
        <AppIcon />
        <h2 id={isTop ? titleId : undefined} tabIndex={-1} aria-description={news}>
          {textWithEmoji({ text: view.title })}
        </h2>
        <button type="button" className="button button-icon" aria-label="Close all" onClick={() => close('all')}>
          <Icon name="close" />
        </button>
      </header>
      {view.problem !== undefined && (
        <p className="modal-problem" role="alert">
          {view.problem}
        </p>
      )}
      <ModalBody isBusy={isBusy}>
        <SurfaceProvider value={surface}>
          <Blocks blocks={view.blocks} />
        </SurfaceProvider>
      </ModalBody>
      <footer className="dialog-buttons">
        <button type="button" className="button" disabled={isBusy} onClick={() => close('one')}>
          {textWithEmoji({ text: view.closeLabel })}
        </button>
        {view.submitLabel !== undefined && (
          <button type="submit" className="button button-primary" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" aria-hidden="true" />}
            {textWithEmoji({ text: view.submitLabel })}
          </button>
        )}
      </footer>
    </form>
  );
}

/** Tells whose modal it is. */
function AppIcon() {
  const app = useDirectory().members.find(({ kind }) => kind === 'app');
  return (
    app && (
      <span role="img" aria-label={app.realName} title={app.realName}>
        <Avatar userId={app.id} isSmall />
      </span>
    )
  );
}

const FIELDS = '.input-block :is(input, textarea, select):not(:disabled)';

/**
 * Moves the focus as views come and change: to the first field of a form, else to the title; after a button was pressed in it,
 * to where the new text begins; back to where it was, once the view above is gone; and to the first invalid field. It stays where
 * somebody is typing, and where the app changes a view by itself.
 */
function useFocusInView(form: RefObject<HTMLFormElement | null>, view: OpenView, isTop: boolean) {
  const errorIds = Object.keys(view.errors).join(' ');
  const place = useRef<Place>(undefined);
  const shownHash = useRef<string>(undefined);
  const wasPressed = useRef(false);
  useEffect(() => {
    const { current: shown } = form;
    if (!shown || !isTop) {
      wasPressed.current = false;
      return;
    }
    const title = shown.querySelector<HTMLElement>('h2');
    const isNew = shownHash.current !== view.hash;
    shownHash.current = view.hash;
    if (!isNew && place.current && !isTyping(shown)) goBack(place.current);
    const { activeElement: active } = document;
    const isBeingRead = shown.contains(active) && active !== title && !(isNew && wasPressed.current);
    if (isTyping(shown) || isBeingRead) return;
    wasPressed.current = false;
    shown.querySelector('.modal-body')?.scrollTo({ top: 0 });
    (shown.querySelector<HTMLElement>(FIELDS) ?? title)?.focus();
  }, [form, isTop, view.hash]);
  useEffect(() => {
    if (errorIds === '' || !isTop) return;
    form.current?.querySelector<HTMLElement>('.input-block-wrong :is(input, textarea, select)')?.focus();
  }, [form, isTop, errorIds]);
  return {
    onFocus: ({ target }: FocusEvent) => {
      place.current = placeOf(target);
      wasPressed.current = false;
    },
    onClick: ({ target }: MouseEvent) => {
      wasPressed.current = target instanceof Element && target.closest('.modal-body button') !== null;
    },
  };
}

function isTyping(form: HTMLElement): boolean {
  return form.contains(document.activeElement) && document.activeElement?.matches('input, textarea, select') === true;
}

/** Returns the news of a view: its title announces them as it gets the focus, to people who can't see that the view has changed. */
function useNews(form: RefObject<HTMLFormElement | null>, hash: string): string | undefined {
  const before = useRef<string[]>(undefined);
  const [news, setNews] = useState<string>();
  // Before the focus moves. Each version of the view is compared with the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash tells the versions apart
  useLayoutEffect(() => {
    const blocks = form.current?.querySelectorAll<HTMLElement>('.modal-body .blocks > *') ?? [];
    const texts = Array.from(blocks, ({ innerText }) => innerText);
    const { current: known } = before;
    before.current = texts;
    const fresh = known && texts.find((text) => !known.includes(text));
    setNews(fresh && excerpt(fresh, 300));
  }, [form, hash]);
  return news;
}

const REACHABLE = { role: 'region', tabIndex: 0, 'aria-label': 'Content' };

/** Shows the content of a modal between its title and its buttons. If it scrolls, it can have the focus, so that keys scroll it. */
function ModalBody({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const outer = body.current;
    if (!outer || !content.current) return;
    const look = new ResizeObserver(() => setScrolls(outer.scrollHeight > outer.clientHeight));
    look.observe(outer);
    look.observe(content.current);
    return () => look.disconnect();
  }, []);
  return (
    <div ref={body} className="modal-body" aria-busy={isBusy} {...(scrolls && REACHABLE)}>
      <div ref={content}>{children}</div>
    </div>
  );
}

export function HomeTab({ home, appName }: { home: HomeView | undefined; appName: string }) {
  return (
    <section className="home" aria-label="Home tab" data-focus-home="home" tabIndex={-1}>
      {home ? (
        <HomeBlocks key={home.id} home={home} />
      ) : (
        <p className="empty">{appName} hasn’t put anything here yet.</p>
      )}
    </section>
  );
}

function HomeBlocks({ home }: { home: HomeView }) {
  const surface = useViewSurface(home, 'h2');
  return (
    <SurfaceProvider value={surface}>
      <Blocks blocks={home.blocks} />
    </SurfaceProvider>
  );
}

type View = {
  id: string;
  hash: string;
  blocks: Block[];
  inputs: ViewInputs;
  errors?: { [blockId: string]: string };
  isSubmitting?: boolean;
};

/**
 * The elements of a modal or the Home tab. As in Slack, typed values survive the app's updates as long as `block_id` and
 * `action_id` are unchanged.
 */
function useViewSurface(view: View, heading: Surface['heading']): Surface & { inputs: ViewInputs } {
  const act = useAct();
  const [edits, setEdits] = useState({ hash: view.hash, typed: NOTHING_TYPED });
  const edited = edits.hash === view.hash ? edits.typed : surviving(edits.typed, view);
  if (edits.hash !== view.hash) setEdits({ hash: view.hash, typed: edited });
  const inputs = useMemo(() => merge(view.inputs, edited), [view.inputs, edited]);
  const { id, errors = {}, isSubmitting = false } = view;
  return {
    key: id,
    heading,
    isFrozen: isSubmitting,
    errors,
    inputs,
    valueOf: (blockId, actionId) => inputs[blockId]?.[actionId],
    hold: (blockId, actionId, input) =>
      setEdits((was) => ({ ...was, typed: withInput(was.typed, blockId, actionId, input) })),
    use: async (blockId, actionId, input, confirmed): Promise<PersonProblem | undefined> => {
      const current = input.kind === 'press' ? inputs : withInput(inputs, blockId, actionId, input);
      const place = { in: 'view', viewId: id } as const;
      const action = {
        type: 'use',
        place,
        blockId,
        actionId,
        input,
        inputs: current,
        ...(confirmed && { confirmed }),
      } as const;
      const outcome = await act(action);
      return !outcome.ok && outcome.problem.at === 'element' ? outcome.problem : undefined;
    },
  };
}

const NOTHING_TYPED: ViewInputs = {};

function merge(inputs: ViewInputs, edited: ViewInputs): ViewInputs {
  const merged = Object.entries(edited).map(([blockId, actions]) => [blockId, { ...inputs[blockId], ...actions }]);
  return { ...inputs, ...Object.fromEntries(merged) };
}

function surviving(edited: ViewInputs, { blocks }: View): ViewInputs {
  const isHere = (blockId: string, actionId: string) => {
    const allBlocks = blocks.flatMap((one) => [one, ...objectsAt(one, 'child_blocks')]);
    const block = allBlocks.find(({ block_id }) => block_id === blockId);
    return JSON.stringify(block ?? {}).includes(`"action_id":${JSON.stringify(actionId)}`);
  };
  const entries = Object.entries(edited).map(([blockId, actions]) => [
    blockId,
    Object.fromEntries(Object.entries(actions).filter(([actionId]) => isHere(blockId, actionId))),
  ]);
  return Object.fromEntries(entries);
}
