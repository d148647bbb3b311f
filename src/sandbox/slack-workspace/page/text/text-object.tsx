import type { TextObject } from '@slack/types';
import { TextWithEmoji } from './emoji.tsx';
import { Mrkdwn } from './mrkdwn.tsx';

/** Plain text is not parsed, except for emoji if enabled. */
export function TextObjectView({ text }: { text: TextObject }) {
  switch (text.type) {
    case 'mrkdwn':
      return <Mrkdwn text={text.text} verbatim={text.verbatim} />;
    case 'plain_text':
      return (
        <span className="lines">
          <TextWithEmoji text={text} />
        </span>
      );
  }
}
