import { Box, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { codesText } from '../../strings/codes.ts';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import classes from './create-buttons.module.css';

type Props = {
  readonly isUnreadable: boolean;
  readonly pending: 'active' | 'draft' | null;
  readonly onDraft: () => void;
};

const text = codesText.form;

export function CreateButtons({
  isUnreadable,
  pending,
  onDraft,
  isNarrow,
}: Props & { readonly isNarrow?: boolean }) {
  const refusal = useRefusal();
  const room = isNarrow ? { px: 8 } : {};
  if (refusal)
    return (
      <RefusedButton reason={refusal} fullWidth>
        {text.create}
      </RefusedButton>
    );
  return (
    <Group gap="xs" wrap="nowrap" grow preventGrowOverflow={false}>
      <Button
        variant="default"
        {...room}
        onClick={onDraft}
        loading={pending === 'draft'}
        disabled={isUnreadable || pending === 'active'}
      >
        {text.saveDraft}
      </Button>
      <Button
        {...room}
        type="submit"
        loading={pending === 'active'}
        disabled={isUnreadable || pending === 'draft'}
      >
        {text.create}
      </Button>
    </Group>
  );
}

/** On a phone the code and the button stay in sight while the form is filled in. */
export function CreateBar({ image, ...buttons }: Props & { readonly image: ReactNode }) {
  return (
    <Box className={classes.bar} hiddenFrom="md">
      <div className={classes.picture}>{image}</div>
      <div className={classes.buttons}>
        <CreateButtons {...buttons} isNarrow />
      </div>
    </Box>
  );
}
