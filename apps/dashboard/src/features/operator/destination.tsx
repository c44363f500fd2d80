import { Group, Stack, Text } from '@mantine/core';
import { operatorText } from '../../strings/operator.ts';
import { Copy } from '../../ui/copy.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { hostOf } from './words.ts';

const text = operatorText.code;

/** Where a code leads: the host to be read at a glance, the rest small. Never a link, which one might open by mistake. */
export function Destination({ url }: { readonly url: string }) {
  if (url === '')
    return (
      <Text size="sm" c="dimmed">
        {text.deleted}
      </Text>
    );
  return (
    <Stack gap={2} miw={0}>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Text size="lg" fw={500} lh={1.3} style={{ overflowWrap: 'anywhere' }}>
          {hostOf(url)}
        </Text>
        <Copy value={url} what={text.destination} />
      </Group>
      <LongText text={url} what={text.theDestination} lines={2} size="xs" c="dimmed" ff="monospace" />
    </Stack>
  );
}
