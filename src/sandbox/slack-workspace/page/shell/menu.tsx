import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

type MenuItem = {
  key: string;
  label: string;
  note?: string | undefined;
  isCurrent?: boolean;
  choose(): void;
};

type Props = {
  /** The button's accessible name, if its children don't provide one. */
  label?: string;
  title?: string;
  buttonClass: string;
  tabIndex?: number;
  /** The element that keeps the focus, though all of the page is replaced. */
  focusHome?: string;
  items: MenuItem[];
  children: ReactNode;
};

/** A button with a menu: arrows, Home and End move; Esc or a click outside closes it and restores the focus. */
export function Menu({ label, title, buttonClass, tabIndex, focusHome, items, children }: Props) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const open = () => {
    if (!menu.current || !button.current) return;
    menu.current.showPopover();
    placeBelow(button.current, menu.current);
    const first = menu.current.querySelector<HTMLElement>('[aria-checked="true"], [role^="menuitem"]');
    first?.focus();
  };
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={buttonClass}
        aria-label={label}
        title={title}
        aria-haspopup="menu"
        aria-controls={id}
        tabIndex={tabIndex}
        data-focus-home={focusHome}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open();
        }}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        className="menu"
        role="menu"
        tabIndex={-1}
        aria-label={label ?? title ?? 'Menu'}
        popover="auto"
        onKeyDown={(event) => moveWithin(event, close)}
      >
        {items.map((item) => (
          <MenuItemView key={item.key} item={item} close={close} />
        ))}
      </div>
    </>
  );
}

function MenuItemView({ item, close }: { item: MenuItem; close(): void }) {
  const radio = { role: 'menuitemradio', 'aria-checked': item.isCurrent };
  return (
    <button
      type="button"
      className="menu-item"
      {...(item.isCurrent === undefined ? { role: 'menuitem' } : radio)}
      tabIndex={-1}
      onClick={() => {
        close();
        item.choose();
      }}
    >
      <span>{item.label}</span>
      {item.note !== undefined && <span className="menu-note">{item.note}</span>}
    </button>
  );
}

function moveWithin(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.findIndex((item) => item.matches(':focus'));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (to !== undefined) items.at(to % items.length)?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Below its opener, or above if there is no room, and always within the window. */
export function placeBelow(opener: HTMLElement, menu: HTMLElement): void {
  const at = opener.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const fitsBelow = at.bottom + height + 8 < window.innerHeight;
  menu.style.top = `${fitsBelow ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`;
  menu.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - width - 8))}px`;
}
