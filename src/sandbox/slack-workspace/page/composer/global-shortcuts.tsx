import { Icon } from '../shell/icon.tsx';
import { Menu } from '../shell/menu.tsx';
import { useAct } from '../state/acting.tsx';
import { useKnown } from './known.tsx';

export function GlobalShortcuts() {
  const act = useAct();
  const { globalShortcuts } = useKnown();
  if (globalShortcuts.length === 0) return null;
  const items = globalShortcuts.map(({ callbackId, name, description }) => ({
    key: callbackId,
    label: name,
    note: description,
    choose: () => void act({ type: 'global-shortcut', callbackId }),
  }));
  return (
    <Menu label="Shortcuts" title="Shortcuts" buttonClass="button button-icon" items={items}>
      <Icon name="plus" />
    </Menu>
  );
}
