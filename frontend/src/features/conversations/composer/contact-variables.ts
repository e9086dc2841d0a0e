import type { Conversation } from '@parley/contracts/inbox/conversations'
import { parsePhone } from '@parley/phone'

/** What every contact has a value of. */
export function contactValues({ name, phone, username }: Conversation['contact']): Record<string, string> {
  return {
    name,
    first_name: name.trim().split(/\s+/)[0] ?? '',
    ...(phone && { phone: parsePhone(phone)?.international ?? phone }),
    ...(username && { username }),
  }
}
