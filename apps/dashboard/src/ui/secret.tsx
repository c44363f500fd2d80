import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { commonText } from '../strings/common.ts';
import { Copy } from './copy.tsx';
import { useEscape } from './escape.ts';
import { Snippet } from './snippet.tsx';
import { useLeaveWarning } from './unsaved-work.ts';

const words = commonText.secret;

type Props = {
  readonly value: string;
  /** What it is, in the middle of a sentence: "API key". */
  readonly what: string;
  readonly onDone: () => void;
};

/**
 * Something that is shown once, inside a dialog. Until it was copied, the dialog closes only after a question: its cross is
 * hidden (base.css), and Escape asks.
 */
export function Secret({ value, what, onDone }: Props) {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const copied = () => {
    setIsCopied(true);
    setIsAsking(false);
  };
  useLeaveWarning(!isCopied);
  useEscape(true, () => (isCopied ? onDone() : setIsAsking(before => !before)));
  return (
    <Stack data-secret>
      <Alert icon={<IconEyeOff aria-hidden />} color="orange" title={words.title}>
        {words.text}
      </Alert>
      <Snippet text={value} what={what} onCopied={copied} />
      {isAsking ? (
        <Alert
          color="red"
          title={words.discardTitle(what)}
          role="alertdialog"
          aria-label={words.discardTitle(what)}
        >
          <Stack gap="sm">
            {words.discardText}
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={() => setIsAsking(false)} autoFocus>
                {words.keep}
              </Button>
              <Button color="red.8" onClick={onDone}>
                {words.discard}
              </Button>
            </Group>
          </Stack>
        </Alert>
      ) : (
        <Group justify="flex-end">
          <Copy value={value} what={what} withLabel onCopied={copied} />
          <Button onClick={onDone}>{words.done}</Button>
        </Group>
      )}
    </Stack>
  );
}
