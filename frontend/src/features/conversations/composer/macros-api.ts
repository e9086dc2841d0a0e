import { type Macro, macrosApi } from '@parley/contracts/inbox/macros'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../lib/api.ts'
import { macroChoices } from '../../../lib/choices/macros.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { choiceKeys, contactKeys, conversationKeys } from '../../../lib/query-keys.ts'
import { useScreenCommands } from '../../../lib/screen-commands.ts'
import { useChange } from '../../../lib/use-change.ts'
import { receiveConversation } from '../cache.ts'
import { conversationRecords } from '../records.ts'

/** Runs a macro on a conversation, both as the person has seen them. */
export function useRunMacro(conversationId: string) {
  const client = useQueryClient()
  return useChange({
    run: ({ id, version }: Macro, intent) => {
      const seen = conversationRecords.newest(client, conversationId)?.version
      return call(macrosApi.run, {
        params: { id: conversationId },
        body: { macroId: id, macroVersion: version, ...(seen !== undefined && { version: seen }) },
        ...intent,
      })
    },
    onSuccess: async ({ conversation }) => {
      receiveConversation(client, conversation)
      const readers = [conversationKeys.messages(conversationId), conversationKeys.summary, contactKeys.all]
      await Promise.all([...readers, choiceKeys.tags].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** Offers the macros in the command menu while a conversation is open. */
export function useMacroCommands(onChoose: (id: string) => void): void {
  const mayNotRun = useIsRefused('conversations:write')
  const { data } = useQuery({ ...macroChoices(), enabled: !mayNotRun })
  const commands = useMemo(
    () =>
      (data ?? []).map(({ id, name }) => ({
        id: `macro-${id}`,
        title: `Run macro ${name}…`,
        run: () => onChoose(id),
      })),
    [data, onChoose],
  )
  useScreenCommands(commands)
}
