import { Radio, Stack } from '@mantine/core';
import { peopleText } from '../../strings/people.ts';
import { shellText } from '../../strings/shell.ts';
import { useAccount } from '../shell/me.ts';
import { allRoles, describeRole, mayChange, type Role } from './roles.ts';

type Props = { readonly value: Role; readonly onChange: (role: Role) => void };

/** The roles, each with what it may do. Only an owner makes owners. */
export function RoleChoice({ value, onChange }: Props) {
  const { role: own, editors_delete } = useAccount();
  return (
    <Radio.Group label={peopleText.roles.label} value={value} onChange={role => onChange(role as Role)}>
      <Stack gap="sm" mt={6}>
        {allRoles.map(role => (
          <Radio
            key={role}
            value={role}
            label={shellText.roles[role]}
            description={
              mayChange(own, role) ? describeRole(role, editors_delete) : peopleText.changeRole.ownerOnly
            }
            disabled={!mayChange(own, role)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
