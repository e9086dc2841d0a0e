import type { QueryClient } from '@tanstack/react-query'
import { choiceKeys, templateKeys } from '../../lib/query-keys.ts'

/** Templates are few and change rarely: they are read again. */
export function receive(client: QueryClient): void {
  for (const queryKey of [templateKeys.all, choiceKeys.templates]) void client.invalidateQueries({ queryKey })
}
