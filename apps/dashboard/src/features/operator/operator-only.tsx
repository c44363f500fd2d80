import { Outlet } from '@tanstack/react-router';
import { operatorText } from '../../strings/operator.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { useMe } from '../shell/me.ts';

const text = operatorText.only;

/** Pages for operators. The server refuses everybody else; this says so kindly, without asking it. */
export function OperatorOnly() {
  const { user } = useMe();
  if (user.is_operator) return <Outlet />;
  return (
    <Page title={text.title}>
      <Panel>
        <Empty title={text.emptyTitle} action={<LinkButton to="/codes">{text.action}</LinkButton>}>
          {text.text}
        </Empty>
      </Panel>
    </Page>
  );
}
