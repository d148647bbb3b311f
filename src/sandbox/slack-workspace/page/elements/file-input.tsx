import type { FileInput } from '@slack/types';
import { type ChangeEvent, useRef, useState } from 'react';
import type { ChosenFile } from '../../person-actions.ts';
import { Icon } from '../shell/icon.tsx';
import { upload } from '../state/acting.tsx';
import { useDirectory } from '../state/directory.tsx';
import { controlAttributes, type ElementProps, Frame, useElement } from './use-element.tsx';

/** Ten, unless it says otherwise. https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
const MOST_FILES = 10;

/** Uploads files as they are chosen, and lists them with a button to remove each. */
export function FileInputView({ element, blockId, control }: ElementProps<FileInput>) {
  const state = useElement(element, blockId, control);
  const { meId } = useDirectory();
  const [note, setNote] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const chosen = state.value?.kind === 'files' ? state.value.files : [];
  const most = element.max_files ?? MOST_FILES;
  const hold = (files: ChosenFile[]) => state.hold({ kind: 'files', files });
  const add = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // The same file can be chosen again once it was removed.
    target.value = '';
    setNote('Uploading…');
    try {
      hold([...chosen, ...(await Promise.all(files.map((file) => upload(meId, file))))]);
      setNote('');
    } catch {
      setNote('That upload failed. Try again.');
    }
  };
  const remove = (gone: ChosenFile) => {
    hold(chosen.filter((file) => file !== gone));
    // The focus would go with the button.
    field.current?.focus();
  };
  const isFull = chosen.length >= most;
  return (
    <Frame state={state}>
      <div className="file-input">
        <ChosenFiles files={chosen} remove={remove} />
        <input
          {...controlAttributes(control)}
          ref={field}
          type="file"
          className="visually-hidden"
          multiple={most > 1}
          accept={element.filetypes?.map((extension) => `.${extension}`).join(',')}
          disabled={state.isFrozen}
          // Not disabled, which would drop the focus.
          aria-disabled={isFull}
          onClick={(event) => isFull && event.preventDefault()}
          onChange={(event) => void add(event)}
        />
        <label className="button" htmlFor={control.id} aria-disabled={isFull || state.isFrozen}>
          <Icon name="plus" />
          {most > 1 ? 'Add files' : 'Add a file'}
        </label>
        <span className="file-input-note" role="status">
          {isFull ? 'No more files can be added.' : note}
        </span>
      </div>
    </Frame>
  );
}

function ChosenFiles({ files, remove }: { files: ChosenFile[]; remove(file: ChosenFile): void }) {
  if (files.length === 0) return null;
  return (
    <ul className="chips">
      {files.map((file) => (
        <li key={file.id}>
          <button type="button" className="chip" aria-label={`Remove ${file.name}`} onClick={() => remove(file)}>
            {file.name} <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
