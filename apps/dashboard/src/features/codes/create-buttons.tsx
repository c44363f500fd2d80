import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { codesText } from '../../strings/codes.ts';
import { PreviewBar } from '../../ui/preview-bar.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useRefusal } from '../shell/use-refusal.ts';

type Props = {
  /** Why the code cannot be created as it is. */
  readonly fault: string | null;
  readonly pending: 'active' | 'draft' | null;
  readonly onDraft: () => void;
};

const text = codesText.form;

export function CreateButtons({
  fault,
  pending,
  onDraft,
  isNarrow,
}: Props & { readonly isNarrow?: boolean }) {
  const refusal = useRefusal('qrcodes:write');
  const room = isNarrow ? { px: 8 } : {};
  if (refusal)
    return (
      <RefusedButton reason={refusal} fullWidth>
        {text.create}
      </RefusedButton>
    );
  if (fault !== null)
    return (
      <Stack gap={6}>
        <RefusedButton reason={fault} fullWidth>
          {text.create}
        </RefusedButton>
        <Text size="xs" c="dimmed">
          {fault}
        </Text>
      </Stack>
    );
  return (
    <Group gap="xs" wrap="nowrap" grow preventGrowOverflow={false}>
      <Button
        variant="default"
        {...room}
        onClick={onDraft}
        loading={pending === 'draft'}
        disabled={pending === 'active'}
      >
        {text.saveDraft}
      </Button>
      <Button {...room} type="submit" loading={pending === 'active'} disabled={pending === 'draft'}>
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
