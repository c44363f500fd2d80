import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { codesText } from '../../strings/codes.ts';
import { PreviewBar } from '../../ui/preview-bar.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useRefusal } from '../shell/use-refusal.ts';

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

export function CreateBar({ image, ...buttons }: Props & { readonly image: ReactNode }) {
  return (
    <PreviewBar image={image}>
      <CreateButtons {...buttons} isNarrow />
    </PreviewBar>
  );
}
