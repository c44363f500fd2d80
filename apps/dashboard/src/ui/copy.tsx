import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { commonText } from '../strings/common.ts';
import { useCopy } from './use-copy.ts';

const words = commonText.copy;

type Props = {
  readonly value: string;
  /** What it is, for the name of the button: "short link". */
  readonly what: string;
  readonly withLabel?: boolean;
  /** In place of "Copy". */
  readonly label?: string;
  readonly onCopied?: () => void;
};

/** Copies a value and says that it did. */
export function Copy({ value, what, withLabel = false, label = words.copy, onCopied }: Props) {
  const { isCopied, copy } = useCopy(onCopied);
  const icon = isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />;
  const click = () => void copy(value);
  if (withLabel)
    return (
      <Button variant="default" leftSection={icon} onClick={click} aria-label={words.copyWhat(what)}>
        {isCopied ? words.copied : label}
      </Button>
    );
  return (
    <Tooltip label={isCopied ? words.copied : words.copyWhat(what)}>
      <ActionIcon variant="subtle" color="gray" onClick={click} aria-label={words.copyWhat(what)}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
