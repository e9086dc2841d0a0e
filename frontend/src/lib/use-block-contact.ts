import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from '../ui/toast.ts'
import { call } from './api.ts'
import { explain } from './explain.ts'
import { contactKeys, conversationKeys } from './query-keys.ts'
import { offerUndo } from './undo.ts'
import { useChange } from './use-change.ts'

/** Blocks a contact or unblocks, with Undo. */
export function useBlockContact() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useChange({
    run: ({ id, blocked }: { id: string; blocked: boolean }, intent) =>
      call(contactsApi.block, { params: { id }, body: { blocked }, ...intent }),
    onSuccess: () =>
      Promise.all([contactKeys.all, conversationKeys.all].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })

  async function setBlocked({ id, name }: Pick<Contact, 'id' | 'name'>, blocked: boolean): Promise<void> {
    try {
      await mutateAsync({ id, blocked })
      offerUndo(`${name} is ${blocked ? 'blocked' : 'no longer blocked'}.`, async () => {
        await mutateAsync({ id, blocked: !blocked })
      })
    } catch (error) {
      toast.error(explain(error, `${name} could not be ${blocked ? 'blocked' : 'unblocked'}. Try again.`))
    }
  }

  return { setBlocked, isPending }
}
