import { Outlet } from '@tanstack/react-router';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { useMe } from '../shell/me.ts';

/** Pages for operators. The server refuses everybody else; this says so kindly, without asking it. */
export function OperatorOnly() {
  const { user } = useMe();
  if (user.is_operator) return <Outlet />;
  return (
    <Page title="For operators">
      <Panel>
        <Empty
          title="This page is for operators of this server"
          action={<LinkButton to="/codes">Go to your codes</LinkButton>}
        >
          If you should be one, ask whoever runs the server.
        </Empty>
      </Panel>
    </Page>
  );
}
