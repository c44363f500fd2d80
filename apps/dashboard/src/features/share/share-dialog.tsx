import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { NewShareLink } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shareText as text } from '../../strings/share.ts';
import { Secret } from '../../ui/secret.tsx';
import { shareLinksQuery } from './queries.ts';
import { ShareForm } from './share-form.tsx';
import { ShareList } from './share-list.tsx';
import type { ShareSubject } from './subject.ts';

export const openShareDialog = (subject: ShareSubject) =>
  modals.open({
    title: text.title(subject.name),
    children: <ShareDialog subject={subject} />,
    size: 'lg',
    closeOnClickOutside: false,
  });

/** The links that there are, and a new one. Its address is shown once. */
function ShareDialog({ subject }: { readonly subject: ShareSubject }) {
  const links = useQuery(shareLinksQuery(subject));
  const [created, setCreated] = useState<NewShareLink | null>(null);
  if (created) return <Secret value={created.url} what={text.secret} onDone={() => setCreated(null)} />;
  return (
    <Stack>
      <Text size="sm">{text.lead}</Text>
      {links.data && links.data.length > 0 && <ShareList links={links.data} name={subject.name} />}
      <ShareForm subject={subject} onCreated={setCreated} />
    </Stack>
  );
}
