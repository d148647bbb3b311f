import { type RefObject, useLayoutEffect, useRef } from 'react';
import { placeBelow } from '../shell/place-below.ts';
import { type Choice, resultsText } from './filter-choices.ts';
import type { Combobox } from './use-combobox.ts';

type Props = {
  id: string;
  combobox: Combobox;
  field: RefObject<HTMLElement | null>;
  chosen: readonly string[];
};

export function optionId(listId: string, { value }: Choice): string {
  return `${listId}-${encodeURIComponent(value)}`;
}

/** What a combobox offers, over everything else on the page. The field keeps the focus. */
export function OptionList({ id, combobox, field, chosen }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  const { isOpen, shown, marked, take } = combobox;
  const count = shown.flatMap(({ options }) => options).length;
  usePlace(popup, field, { isOpen, count });
  const markedId = marked && optionId(id, marked);
  useLayoutEffect(() => {
    if (markedId !== undefined) document.getElementById(markedId)?.scrollIntoView({ block: 'nearest' });
  }, [markedId]);
  const optionOf = (option: Choice) => (
    // biome-ignore lint/a11y/useFocusableInteractive: marked by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      key={option.value}
      id={optionId(id, option)}
      className="option"
      role="option"
      aria-selected={chosen.includes(option.value)}
      data-marked={option === marked}
      onClick={() => take(option.value)}
    >
      <span>{option.text}</span>
      {option.note !== undefined && <span className="option-note">{option.note}</span>}
    </div>
  );
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps the focus in the field */}
      <div ref={popup} className="menu option-list" popover="manual" onMouseDown={(event) => event.preventDefault()}>
        {isOpen && count === 0 && <p className="option-none">No results</p>}
        <div id={id} role="listbox" aria-label="Options" hidden={count === 0}>
          {shown.map(({ label: group, options }) =>
            group === undefined ? (
              options.map(optionOf)
            ) : (
              // biome-ignore lint/a11y/useSemanticElements: a group of options
              <div key={group} role="group" aria-label={group}>
                <div className="option-group" aria-hidden="true">
                  {group}
                </div>
                {options.map(optionOf)}
              </div>
            ),
          )}
        </div>
      </div>
      <span className="visually-hidden" role="status">
        {isOpen && resultsText(count)}
      </span>
    </>
  );
}

/** Shows the list beside its field while it is open, wherever that is scrolled to. */
function usePlace(
  popup: RefObject<HTMLElement | null>,
  field: Props['field'],
  { isOpen, count }: { isOpen: boolean; count: number },
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of options is another height
  useLayoutEffect(() => {
    const shown = popup.current;
    const opener = field.current;
    if (!shown || !opener || !isOpen) return;
    const place = () => {
      shown.style.width = `${opener.offsetWidth}px`;
      placeBelow(opener, shown);
    };
    shown.showPopover();
    place();
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
      shown.hidePopover();
    };
  }, [isOpen, count]);
}
