import { Anchor, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { analyticsText } from '../../strings/analytics.ts';
import { useMe } from '../shell/me.ts';

const { uniques } = analyticsText;

/** One click from every figure: how visitors are told apart without anybody being known. */
export function AboutUniques() {
  const { service } = useMe();
  const window = service.visitor_window === 'day' ? 'day' : 'month';
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      onClick={() =>
        modals.open({
          title: uniques.title,
          children: (
            <Stack gap="sm">
              <Text size="sm">{uniques.hash[window]}</Text>
              <Text size="sm">{uniques.twice[window]}</Text>
              <Text size="sm">{uniques.bots}</Text>
            </Stack>
          ),
        })
      }
    >
      {uniques.ask}
    </Anchor>
  );
}
