import { Anchor, Text } from '@mantine/core';
import { useMe } from '../shell/me.ts';

/** The licence of the place data asks for this wherever places are shown. */
export function Attribution() {
  const { attribution } = useMe().service;
  if (!attribution) return null;
  return (
    <Text size="xs" c="dimmed">
      <Anchor href={attribution.url} target="_blank" rel="noreferrer" inherit underline="always" c="dimmed">
        {attribution.text}
      </Anchor>
    </Text>
  );
}
