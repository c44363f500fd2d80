import { expect, test } from 'vitest';
import { addressBlock } from '../../kernel/addresses/client-address.ts';
import { toNetwork } from './limits.ts';

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:5:1::9', '2001:db8:5::/48'],
  ['2001:db8:5:ffff:1:2:3:4', '2001:db8:5::/48'],
  ['::1', '0:0:0::/48'],
])('the network of %s is %s', (address, network) => expect(toNetwork(addressBlock(address))).toBe(network));
