import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Mode, useMode } from '../../api/mode.ts';
import { curlFor } from '../../ui/curl.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { useMe } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { openCreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';
import { keysQuery } from './queries.ts';

export function KeysPage() {
  const mode = useMode();
  const query = useQuery(keysQuery);
  const refusal = useKeyRefusal(mode);
  const icon = <IconPlus size={18} aria-hidden />;
  const create = refusal ? (
    <RefusedButton reason={refusal} leftSection={icon}>
      New {mode} key
    </RefusedButton>
  ) : (
    <Button leftSection={icon} onClick={() => openCreateKey(mode)}>
      New {mode} key
    </Button>
  );
  return (
    <Page
      title="API keys"
      description={`A key gives a program full access to your ${mode} codes. Keep it on your server, never in a page or an app.`}
      actions={create}
    >
      <QueryView query={query}>
        {({ data }) => {
          const keys = data.filter(key => key.mode === mode);
          return keys.length === 0 ? (
            <Panel>
              <Empty
                title={`No ${mode} keys`}
                action={create}
                curl={curlFor('GET', '/v1/qrcodes')}
                curlTitle="Then try it"
              >
                Make one for each program that uses the API, so that you can revoke it without stopping the
                others.
              </Empty>
            </Panel>
          ) : (
            <>
              <Panel>
                <KeysTable keys={keys} />
              </Panel>
              <Panel title="Try it">
                <Snippet text={curlFor('GET', '/v1/qrcodes')} what="curl command" />
              </Panel>
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}

/** Keys of live mode wait for a confirmed address, like the links themselves. */
function useKeyRefusal(mode: Mode): string | undefined {
  const { account } = useMe();
  const refusal = useRefusal();
  return refusal ?? (account.held && mode === 'live' ? 'Confirm your e-mail first.' : undefined);
}
