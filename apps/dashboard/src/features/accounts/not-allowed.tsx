import type { RolePermission } from '@signpost/contract';
import { shellText } from '../../strings/shell.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { useAccount } from '../shell/me.ts';
import { useRoleRefusal } from '../shell/use-refusal.ts';

const text = shellText.notAllowed;

type Props = { readonly title: string; readonly needs: RolePermission };

/** In place of a page that the role of this person does not include: why, and whom to ask. */
export function NotAllowed({ title, needs }: Props) {
  const { name, role } = useAccount();
  return (
    <Page title={title}>
      <Panel>
        <Empty title={text.title} action={<LinkButton to="/codes">{text.codes}</LinkButton>}>
          {useRoleRefusal(needs)} {text.yours(shellText.roles[role], name)}
        </Empty>
      </Panel>
    </Page>
  );
}
