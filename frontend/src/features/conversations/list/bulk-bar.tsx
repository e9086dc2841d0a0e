import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { type Conversation, conversationsApi } from '@parley/contracts/inbox/conversations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { memberChoices } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { counted } from '../../../lib/format.ts'
import { conversationKeys } from '../../../lib/query-keys.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { useOwnId } from '../../../lib/user.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast.ts'
import { receiveConversation } from '../cache.ts'
import { snoozeChoices } from '../details/snooze-times.ts'
import styles from './bulk-bar.module.css'

type Update = Parameters<typeof call<typeof conversationsApi.update>>[1]['body']

/** Conversations that are changed at the same time: a browser opens six connections. */
const atOnce = 4
const nobody = 'nobody'

/** Actions on the selected conversations; each can be undone. */
export function BulkBar({ chosen, onClear }: { chosen: readonly Conversation[]; onClear: () => void }) {
  const client = useQueryClient()
  const { now, timeZone } = useClock(0)
  const ownId = useOwnId()
  const members = useQuery(memberChoices()).data ?? []
  const [done, setDone] = useState<number>()

  /** Changes each conversation. @returns those that were changed, as they were before, and why others were not. */
  async function changeEach(list: readonly Conversation[], updateOf: (conversation: Conversation) => Update) {
    const waiting = [...list]
    const changed: Conversation[] = []
    const reasons = new Set<string>()
    const work = async () => {
      for (let before = waiting.shift(); before; before = waiting.shift()) {
        try {
          const body = updateOf(before)
          receiveConversation(client, await call(conversationsApi.update, { params: { id: before.id }, body }))
          changed.push(before)
        } catch (error) {
          reasons.add(explain(error, 'Check your connection and try again.'))
        }
        setDone(list.length - waiting.length)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    void client.invalidateQueries({ queryKey: conversationKeys.summary })
    const failed = list.length - changed.length
    const problem =
      failed > 0 ? `${failed} of ${list.length} could not be changed. ${[...reasons].join(' ')}` : undefined
    return { changed, problem }
  }

  async function act(what: string, update: Update, undo: (before: Conversation) => Update) {
    setDone(0)
    const { changed, problem } = await changeEach(chosen, () => update)
    setDone(undefined)
    onClear()
    if (changed.length === 0) {
      if (problem) toast.error(problem)
      return
    }
    const said = `${counted(changed.length, 'conversation')} ${what}`
    offerUndo(problem ? `${said}. ${problem}` : said, async () => {
      const undone = await changeEach(changed, undo)
      if (undone.problem) throw new Error(undone.problem)
    })
  }

  const close = () => act('closed', { status: 'closed' }, (before) => ({ ...stateOf(before), ...ownerOf(before) }))
  const snooze = (until: Date) => act('snoozed', { status: 'snoozed', snoozedUntil: until.toISOString() }, stateOf)
  const assign = (id: string) => {
    const name = id === ownId ? 'yourself' : (members.find(({ userId }) => userId === id)?.name ?? 'a colleague')
    const update: Update = { owner: id === nobody ? { kind: 'nobody' } : { kind: 'member', id } }
    return act(id === nobody ? 'unassigned' : `assigned to ${name}`, update, (before) =>
      before.owner.kind === 'member' ? ownerOf(before) : { owner: { kind: 'nobody' } },
    )
  }
  const mark = (read: boolean) =>
    act(read ? 'marked as read' : 'marked as unread', { read }, ({ unreadCount }) => ({ read: unreadCount === 0 }))

  const snoozes = snoozeChoices(now, timeZone)
  const isBusy = done !== undefined
  const isOff = isBusy || chosen.length === 0
  return (
    <section className={styles['bar']} aria-label="Selection">
      <IconButton label="Clear selection" onClick={onClear} disabled={isBusy}>
        <CloseOutlined aria-hidden />
      </IconButton>
      <p className={styles['count']} role="status">
        {isBusy ? `${done} of ${chosen.length} changed` : `${chosen.length} selected`}
      </p>
      <div className={styles['actions']}>
        <Button size="small" disabled={isOff} onClick={() => void close()}>
          Close
        </Button>
        <Dropdown
          trigger={['click']}
          disabled={isOff}
          menu={{
            items: snoozes.map(({ label }) => ({ key: label, label })),
            onClick: ({ key }) => {
              const until = snoozes.find(({ label }) => label === key)?.until
              if (until) void snooze(until)
            },
          }}
        >
          <Button size="small" aria-haspopup="menu">
            Snooze
          </Button>
        </Dropdown>
        <Dropdown
          trigger={['click']}
          disabled={isOff}
          menu={{
            className: styles['people'] ?? '',
            items: [
              ...members.map(({ userId, name }) => ({ key: userId, label: userId === ownId ? `${name} (you)` : name })),
              { type: 'divider' },
              { key: nobody, label: 'Nobody' },
            ],
            onClick: ({ key }) => void assign(key),
          }}
        >
          <Button size="small" aria-haspopup="menu">
            Assign
          </Button>
        </Dropdown>
        <Button
          size="small"
          disabled={isOff}
          onClick={() => void mark(chosen.some(({ unreadCount }) => unreadCount > 0))}
        >
          {chosen.some(({ unreadCount }) => unreadCount > 0) ? 'Mark as read' : 'Mark as unread'}
        </Button>
      </div>
    </section>
  )
}

const stateOf = ({ status, snoozedUntil }: Conversation): Update => ({
  status,
  ...(status === 'snoozed' && { snoozedUntil }),
})

/** Gives it back to the member who had it; what a bot had stays as it is, for a bot begins a session of its own. */
const ownerOf = ({ owner: { kind, id } }: Conversation): Update => (kind === 'member' ? { owner: { kind, id } } : {})
