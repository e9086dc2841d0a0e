import type { Conversation } from '@parley/contracts/inbox/conversations'
import { parsePhone } from '@parley/phone'

/** Returns the values that every contact has. */
export function contactValues({ name, phone, username }: Conversation['contact']): Record<string, string> {
  return {
    name,
    first_name: name.trim().split(/\s+/)[0] ?? '',
    ...(phone && { phone: parsePhone(phone)?.international ?? phone }),
    ...(username && { username }),
  }
}
