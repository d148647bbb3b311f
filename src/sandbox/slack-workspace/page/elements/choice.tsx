import type { Checkboxes, Option, RadioButtons } from '@slack/types';
import { TextObjectView } from '../text/text-object.tsx';
import { textWithEmoji } from '../text/text-with-emoji.ts';
import type { ElementProps } from './control.ts';
import { Frame } from './frame.tsx';
import { useElement } from './use-element.ts';

export function ChoiceView({ element, blockId, control }: ElementProps<Checkboxes | RadioButtons>) {
  const state = useElement(element, blockId, control);
  const offered = element.options.map(({ value }) => value);
  const chosen = state.value?.kind === 'options' ? state.value.values.filter((value) => offered.includes(value)) : [];
  const isMany = element.type === 'checkboxes';
  const toggle = (value: string, isOn: boolean) => {
    const values = isMany ? [...chosen.filter((other) => other !== value), ...(isOn ? [value] : [])] : [value];
    state.put({ kind: 'options', values });
  };
  return (
    <Frame state={state}>
      <fieldset className="choices" id={control.id} aria-label={control.label} aria-describedby={control.describedBy}>
        {element.options.map((option) => (
          <Choice
            key={option.value}
            option={option}
            type={isMany ? 'checkbox' : 'radio'}
            name={control.id}
            isChosen={chosen.includes(option.value ?? '')}
            onChange={(isOn) => toggle(option.value ?? '', isOn)}
          />
        ))}
      </fieldset>
    </Frame>
  );
}

type ChoiceProps = {
  option: Option;
  type: 'checkbox' | 'radio';
  name: string;
  isChosen: boolean;
  onChange(isOn: boolean): void;
};

function Choice({ option, type, name, isChosen, onChange }: ChoiceProps) {
  return (
    <label className="choice">
      <input type={type} name={name} checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
      <span>
        <TextObjectView text={option.text} />
        {option.description && <span className="choice-description">{textWithEmoji(option.description)}</span>}
      </span>
    </label>
  );
}
