import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

type Tab = { name: string; content: ReactNode };

/** Tabs of a dialog: arrow keys move between them. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const id = useId();
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    setAt(next);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]').item(next).focus();
  };
  return (
    <>
      <div ref={list} className="tabs dialog-tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            id={`${id}${index}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`${id}panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setAt(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}panel`} className="modal-body" role="tabpanel" aria-labelledby={`${id}${at}`} tabIndex={-1}>
        {tabs[at]?.content}
      </div>
    </>
  );
}
