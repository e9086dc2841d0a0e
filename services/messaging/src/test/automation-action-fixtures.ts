import { Types } from 'mongoose'
import { afterAll, beforeAll } from 'vitest'
import { withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

export type Parley = Awaited<ReturnType<typeof joinMessaging>>

export const newId = () => new Types.ObjectId().toHexString()
export const botId = newId()
export const by = { kind: 'bot', id: botId, runId: newId() }
/** Key of an action of a run. */
export const key = () => `run.${newId()}.0`.slice(0, 64)
export const text = (body: string) => ({ type: 'send', content: { type: 'text', text: body } })

let phones = 919_812_341_000
export const newPhone = () => String(++phones)

/** Gives a file a workspace in which the worker of automation acts. @param begin given what was started. */
export function withActions(begin: (parley: Parley) => void) {
  let parley: Parley
  beforeAll(async () => {
    parley = await joinMessaging()
    begin(parley)
  })
  afterAll(() => parley.stop())
  return {
    actions: (body: object, from = parley.signInProcess('automation-worker')) =>
      from.call('POST', '/internal/actions', { by, ...body }),
    newConversation: () => withChats(parley, parley.signIn()).write(newPhone(), 'Kiran', 'Hello'),
    sentIn: async (conversation: { id: string }) =>
      (await withChats(parley, parley.signIn()).threadOf(conversation as never)).filter(
        ({ direction }: { direction: string }) => direction === 'outbound',
      ),
  }
}
