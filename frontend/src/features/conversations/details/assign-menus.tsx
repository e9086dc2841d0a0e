import { botsApi } from '@parley/contracts/automation/bots'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { call } from '../../../lib/api.ts'
import { useAbsence } from '../../../lib/choices/availability.ts'
import { botChoices } from '../../../lib/choices/bots.ts'
import { memberChoices } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { conversationKeys } from '../../../lib/query-keys.ts'
import { offerUndo } from '../../../lib/undo.ts'
import { useChange } from '../../../lib/use-change.ts'
import { toast } from '../../../ui/toast.ts'
import { useChangeConversation } from '../changes.ts'

const nobody = 'nobody'

interface Words {
  /** Label of the button. */
  readonly label: string
  readonly failed: string
  readonly none: string
  readonly remove: string
  readonly removed: string
}

interface Candidate {
  readonly id: string
  readonly name: string
  /** Remark beside the name in the list. */
  readonly note?: string
  readonly disabled?: boolean
}

interface Props {
  conversation: Conversation
  /** Icon of the button, which shows before this is loaded. */
  icon: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Hands the conversation to one of the bots, or takes it from the one that has it. */
export function AssignBot(props: Props) {
  const { id } = props.conversation
  const client = useQueryClient()
  const { data, isLoadingError } = useQuery({ ...botChoices(), enabled: props.open })
  const { mutateAsync: change } = useChangeConversation(id)
  const begin = useChange({
    run: (botId: string, intent) =>
      call(botsApi.startSession, { params: { id: botId }, body: { conversationId: id }, ...intent }),
    onSettled: () =>
      Promise.all(
        [conversationKeys.one(id), conversationKeys.lists].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  })
  return (
    <AssignMenu
      {...props}
      kind="bot"
      candidates={data?.map(({ id, name, status }) => ({
        id,
        name,
        ...(status === 'paused' && { note: 'paused', disabled: true }),
      }))}
      failed={isLoadingError}
      words={{
        label: 'Assign to Bot',
        failed: 'The bots could not be loaded',
        none: 'No bots yet',
        remove: 'Unassign the bot',
        removed: 'The bot was unassigned',
      }}
      onAssign={(bot) =>
        begin.mutate(bot.id, {
          // The session begins where the bot begins: to take it back is to end it.
          onSuccess: () =>
            offerUndo(`Assigned to ${bot.name}`, async () => {
              await change({ owner: { kind: nobody } })
            }),
          onError: (error) => toast.error(explain(error, `The conversation could not be given to ${bot.name}.`)),
        })
      }
    />
  )
}

/** Assigns the conversation to a member of the team, or unassigns it. */
export function AssignMember(props: Props) {
  const { data, isLoadingError } = useQuery({ ...memberChoices(), enabled: props.open })
  const absenceOf = useAbsence()
  return (
    <AssignMenu
      {...props}
      kind="member"
      candidates={data?.map(({ userId, name, role }) => ({
        id: userId,
        name,
        note: absenceOf(userId) ? `${role}, away` : role,
      }))}
      failed={isLoadingError}
      words={{
        label: 'Assign to Member',
        failed: 'The team could not be loaded',
        none: 'No other members yet',
        remove: 'Unassign',
        removed: 'The conversation was unassigned',
      }}
    />
  )
}

function AssignMenu({
  conversation: { id, owner },
  kind,
  icon,
  open,
  onOpenChange,
  candidates,
  failed,
  words,
  onAssign,
}: Props & {
  kind: 'bot' | 'member'
  /** Absent while they are read. */
  candidates: readonly Candidate[] | undefined
  failed: boolean
  words: Words
  /** Gives it to a candidate; absent: by a change of the owner, which can be undone. */
  onAssign?: (candidate: Candidate) => void
}) {
  const { mutateAsync } = useChangeConversation(id)
  const assign = (key: string) => {
    const chosen = candidates?.find((candidate) => candidate.id === key)
    if (chosen && onAssign) return onAssign(chosen)
    const next: Conversation['owner'] = chosen ? { kind, id: chosen.id, name: chosen.name } : { kind: nobody }
    mutateAsync({ owner: next }).then(
      () =>
        offerUndo(chosen ? `Assigned to ${chosen.name}` : words.removed, async () => {
          await mutateAsync({ owner })
        }),
      // The change has already reported its failure.
      () => {},
    )
  }
  const message = (label: string) => [{ key: 'message', label, disabled: true }]
  const items = candidates?.map(({ id: candidate, name, note, disabled }) => ({
    key: candidate,
    label: note ? `${name} (${note})` : name,
    disabled: disabled || (owner.kind === kind && owner.id === candidate),
  }))
  return (
    <Dropdown
      trigger={['click']}
      open={open}
      onOpenChange={onOpenChange}
      menu={{
        items: [
          ...(items ? (items.length > 0 ? items : message(words.none)) : message(failed ? words.failed : 'Loading...')),
          ...(owner.kind === kind ? [{ type: 'divider' as const }, { key: nobody, label: words.remove }] : []),
        ],
        onClick: ({ key }) => assign(key),
      }}
    >
      <Button block icon={icon} aria-haspopup="menu" aria-expanded={open}>
        {words.label}
      </Button>
    </Dropdown>
  )
}
