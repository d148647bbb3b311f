import type { ActionsBlock, ContextActionsBlock } from '@slack/types';
import { FeedbackButtonsView, IconButtonView } from '../elements/button.tsx';
import type { Control } from '../elements/control.ts';
import { ElementView } from '../elements/element.tsx';
import { useSurface } from '../elements/surface.tsx';

type AnyElement = (ActionsBlock | ContextActionsBlock)['elements'][number];

export function ActionsView({ block }: { block: ActionsBlock | ContextActionsBlock }) {
  const { key } = useSurface();
  const blockId = block.block_id ?? '';
  const elements: AnyElement[] = block.elements;
  return (
    <div className="actions">
      {elements.map((element, index) => {
        const id = `${key}-${blockId}-${element.action_id ?? index}`;
        const control = { id, label: nameOf(element), dispatches: true, isInvalid: false };
        return <ActionElement key={id} element={element} blockId={blockId} control={control} />;
      })}
    </div>
  );
}

function ActionElement(props: { element: AnyElement; blockId: string; control: Control }) {
  const { element, ...shared } = props;
  if (element.type === 'icon_button') return <IconButtonView element={element} {...shared} />;
  if (element.type === 'feedback_buttons') return <FeedbackButtonsView element={element} {...shared} />;
  return <ElementView element={element} {...shared} />;
}

/** Elements in an actions block have no label, so the placeholder serves as the accessible name. */
function nameOf(element: AnyElement): string {
  const placeholder = 'placeholder' in element ? element.placeholder?.text : undefined;
  return placeholder ?? NAMES[element.type] ?? element.type.replaceAll('_', ' ');
}

const NAMES: { [type: string]: string } = {
  checkboxes: 'Options',
  radio_buttons: 'Options',
  datepicker: 'Date',
  timepicker: 'Time',
  datetimepicker: 'Date and time',
};
