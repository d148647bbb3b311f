import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { OpenView } from '../../people-api.ts';
import { Blocks } from '../blocks/block.tsx';
import { SurfaceProvider } from '../elements/use-element.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { Icon } from '../shell/icon.tsx';
import { Avatar } from '../shell/person.tsx';
import { useAct } from '../state/acting.tsx';
import { useDirectory } from '../state/directory.tsx';
import { textWithEmoji } from '../text/emoji.ts';
import { useViewSurface } from './view-surface.ts';

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
  const surface = useViewSurface(view);
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
  useFocusInView(form, view, isTop);
  return (
    <form
      ref={form}
      className="modal-form"
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <header className="modal-head">
        <AppIcon />
        <h2 id={isTop ? titleId : undefined} tabIndex={-1}>
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

const FIELDS = '.modal-body :is(input, textarea, select):not(:disabled)';

/** Focuses the first field when a view opens or changes, and the first invalid one when errors appear. */
function useFocusInView(form: React.RefObject<HTMLFormElement | null>, view: OpenView, isTop: boolean): void {
  const errorIds = Object.keys(view.errors).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the view moves the focus again
  useEffect(() => {
    const active = document.activeElement;
    const isTyping = active?.matches('input, textarea, select') && form.current?.contains(active);
    if (!isTop || isTyping) return;
    const field = form.current?.querySelector<HTMLElement>(FIELDS) ?? form.current?.querySelector<HTMLElement>('h2');
    field?.focus();
  }, [form, isTop, view.hash]);
  useEffect(() => {
    if (errorIds === '' || !isTop) return;
    form.current?.querySelector<HTMLElement>('.input-block-wrong :is(input, textarea, select)')?.focus();
  }, [form, isTop, errorIds]);
}

const REACHABLE = { role: 'region', tabIndex: 0, 'aria-label': 'Content' };

/** What a modal shows between its title and its buttons. Where it scrolls, it can have the focus, so that keys scroll it. */
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
