import { Anchor, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMe } from '../shell/me.ts';

/** One click from every figure: how visitors are told apart without anybody being known. */
export function AboutUniques() {
  const { service } = useMe();
  const window = service.visitor_window === 'day' ? 'day' : 'calendar month';
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      onClick={() =>
        modals.open({
          title: 'How visitors are counted',
          children: (
            <Stack gap="sm">
              <Text size="sm">
                A visitor is a fingerprint of network address and browser, made with a secret that exists only
                for one {window} (in UTC) and is destroyed two days after it. The address and the browser
                themselves are never stored.
              </Text>
              <Text size="sm">
                So somebody who scans twice in one {window} is one visitor; in the next {window} they count
                anew. Unique visitors of a period are counted over the whole period: those of single days do
                not add up to it.
              </Text>
              <Text size="sm">Link previews, crawlers and prefetches are sent on but are no scans.</Text>
            </Stack>
          ),
        })
      }
    >
      How are uniques counted?
    </Anchor>
  );
}
