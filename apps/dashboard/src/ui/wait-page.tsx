import { Skeleton, Stack } from '@mantine/core';
import { Page } from './page.tsx';
import { Wait } from './wait.tsx';

/** A page that is on its way: its title at once where that is known. */
export function WaitPage({ title }: { readonly title: string | undefined }) {
  if (title !== undefined)
    return (
      <Page title={title}>
        <Wait lines={6} />
      </Page>
    );
  return (
    <Stack gap="xl">
      <Skeleton height={29} width="min(18rem, 60%)" />
      <Wait lines={6} />
    </Stack>
  );
}
