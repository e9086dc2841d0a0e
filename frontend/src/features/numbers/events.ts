import type { QueryClient } from '@tanstack/react-query'
import { choiceKeys, credentialKeys, numberKeys } from '../../lib/query-keys.ts'

/** Numbers are few and change rarely: they are read again, with the credentials of the default one. */
export function receive(client: QueryClient): void {
  for (const queryKey of [numberKeys.all, choiceKeys.numbers, credentialKeys.all])
    void client.invalidateQueries({ queryKey })
}
