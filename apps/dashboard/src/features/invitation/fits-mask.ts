/** Whether an address may be the invited one, of which only the first letter and the domain are known (`a•••@example.com`). */
export function fitsMask(email: string, mask: string): boolean {
  const [name = '', domain = ''] = split(email.toLowerCase());
  const [masked = '', maskedDomain = ''] = split(mask.toLowerCase());
  return domain === maskedDomain && name.startsWith(masked.split('•')[0]!);
}

const split = (address: string) => {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
};
