import type { CSSProperties } from 'react';
import { type JsonObject, objectsAt, stringAt } from '../../json.ts';
import type { Attachment, FileInfo } from '../../people-api.ts';
import { Blocks } from '../blocks/block.tsx';
import { Group } from '../blocks/group.tsx';
import { ImageView } from '../blocks/section.tsx';
import { Icon } from '../shell/icon.tsx';
import { Fold } from '../text/fold.tsx';
import { Link, Mrkdwn, TextWithEmoji } from '../text/mrkdwn.tsx';

/** Secondary attachments, below the message. */
export function Attachments({ attachments }: { attachments: Attachment[] }) {
  return attachments.map((attachment) => <AttachmentView key={attachment.id} attachment={attachment} />);
}

function AttachmentView({ attachment }: { attachment: Attachment }) {
  const { blocks } = attachment;
  const pretext = stringAt(attachment, 'pretext');
  return (
    <>
      {pretext && <Mrkdwn text={pretext} />}
      <Group className="attachment" label={stringAt(attachment, 'fallback') ?? 'Attachment'} style={bar(attachment)}>
        {blocks ? <Blocks blocks={blocks} /> : <LegacyBody attachment={attachment} />}
      </Group>
    </>
  );
}

function LegacyBody({ attachment }: { attachment: Attachment }) {
  const textAt = (name: string) => stringAt(attachment, name);
  const [author, title, footer] = [textAt('author_name'), textAt('title'), textAt('footer')];
  const hasMore = ['title', 'fields', 'image_url', 'thumb_url'].some((name) => name in attachment);
  const text = textAt('text') ?? (hasMore ? undefined : textAt('fallback'));
  return (
    <>
      {author && <Heading text={author} href={stringAt(attachment, 'author_link')} className="attachment-note" />}
      {title && <Heading text={title} href={stringAt(attachment, 'title_link')} className="attachment-title" />}
      {text && (
        <Fold>
          <Mrkdwn text={text} />
        </Fold>
      )}
      <AttachmentFields fields={objectsAt(attachment, 'fields')} />
      <AttachmentImage attachment={attachment} />
      {footer && <Heading text={footer} href={undefined} className="attachment-note" />}
    </>
  );
}

function Heading({ text, href, className }: { text: string; href: string | undefined; className: string }) {
  const content = <TextWithEmoji text={{ text }} />;
  return <p className={className}>{href === undefined ? content : <Link href={href}>{content}</Link>}</p>;
}

function AttachmentFields({ fields }: { fields: JsonObject[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="attachment-fields">
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
        <div key={index} className={field.short === true ? 'short' : ''}>
          <dt>{stringAt(field, 'title')}</dt>
          <dd>
            <Mrkdwn text={stringAt(field, 'value') ?? ''} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function AttachmentImage({ attachment }: { attachment: Attachment }) {
  const url = stringAt(attachment, 'image_url') ?? stringAt(attachment, 'thumb_url');
  if (url === undefined) return null;
  const alt_text = stringAt(attachment, 'fallback') ?? 'image';
  return <ImageView image={{ type: 'image', image_url: url, alt_text }} className="block-image" />;
}

const NAMED: { [color: string]: string | undefined } = { good: '#2eb67d', warning: '#ecb22e', danger: '#e01e5a' };

/** `good`, `warning`, `danger` or a hex code, as in `MessageAttachment` of `@slack/types`. */
function bar(attachment: Attachment): CSSProperties {
  const color = stringAt(attachment, 'color') ?? '';
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color)?.[1];
  const cssColor = NAMED[color] ?? (hex && `#${hex}`);
  return cssColor === undefined || cssColor === '' ? {} : { borderInlineStartColor: cssColor };
}

export function Files({ files }: { files: FileInfo[] }) {
  return files.map((file) => <FileView key={file.id} file={file} />);
}

function FileView({ file }: { file: FileInfo }) {
  const title = file.title || file.name;
  return (
    <Group className="file" label={`File ${title}`}>
      <div className="file-head">
        <Icon name="file" />
        <span className="file-names">
          <a href={file.url} target="_blank" rel="noreferrer">
            {title}
          </a>
          <span className="file-note">
            {file.name} · {formatSize(file.sizeBytes)}
          </span>
        </span>
        <a className="button" href={`${file.url}&download=1`} download={file.name} aria-label={`Download ${file.name}`}>
          Download
        </a>
      </div>
      {file.preview !== undefined && (
        <details>
          <summary>Preview</summary>
          <pre>{file.preview}</pre>
        </details>
      )}
    </Group>
  );
}

function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
