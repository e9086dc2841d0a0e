import type { Conversation } from '@parley/contracts/inbox/conversations'

/**
 * Returns the values of the variables that every contact has, by their names in replies and macros.
 * @param writtenPhone writes a number in E.164 as people do.
 */
export function contactVariables(
  { name, phone, username }: Pick<Conversation['contact'], 'name' | 'phone' | 'username'>,
  writtenPhone: (phone: string) => string,
): Record<string, string> {
  return {
    name,
    first_name: name.trim().split(/\s+/)[0] ?? '',
    ...(phone && { phone: writtenPhone(phone) }),
    ...(username && { username }),
  }
}
