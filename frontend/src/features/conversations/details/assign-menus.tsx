import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { botChoices } from '../../../lib/choices/bots.ts'
import { memberChoices } from '../../../lib/choices/members.ts'
import { offerUndo } from '../../../lib/undo.ts'
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
  /** Beside the name in the list. */
  readonly note?: string
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
  const { data, isLoadingError } = useQuery({ ...botChoices(), enabled: props.open })
  return (
    <AssignMenu
      {...props}
      kind="bot"
      candidates={data?.map(({ id, name, status }) => ({
        id,
        name,
        ...(status === 'paused' && { note: 'paused' }),
      }))}
      failed={isLoadingError}
      words={{
        label: 'Assign to Bot',
        failed: 'The bots could not be loaded',
        none: 'No bots yet',
        remove: 'Unassign the bot',
        removed: 'The bot was unassigned',
      }}
    />
  )
}

/** Assigns the conversation to a member of the team, or unassigns it. */
export function AssignMember(props: Props) {
  const { data, isLoadingError } = useQuery({ ...memberChoices(), enabled: props.open })
  return (
    <AssignMenu
      {...props}
      kind="member"
      candidates={data?.map(({ userId, name, role }) => ({ id: userId, name, note: role }))}
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
}: Props & {
  kind: 'bot' | 'member'
  /** Absent while they are read. */
  candidates: readonly Candidate[] | undefined
  failed: boolean
  words: Words
}) {
  const { mutateAsync } = useChangeConversation(id)
  const assign = (key: string) => {
    const chosen = candidates?.find((candidate) => candidate.id === key)
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
  const items = candidates?.map(({ id: candidate, name, note }) => ({
    key: candidate,
    label: note ? `${name} (${note})` : name,
    disabled: owner.kind === kind && owner.id === candidate,
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
