import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useQuery } from '@tanstack/react-query'
import { useAbsence } from '../../../lib/choices/availability.ts'
import { botChoices } from '../../../lib/choices/bots.ts'
import { memberChoices } from '../../../lib/choices/members.ts'
import styles from './owner-line.module.css'

/** Shows the conversation's owner. */
export function OwnerLine({ owner }: { owner: Conversation['owner'] }) {
  const name = useOwnerName(owner)
  const isAway = useAbsence()(owner.kind === 'member' ? owner.id : undefined) !== undefined
  if (owner.kind === 'nobody') return null
  return (
    <p className={styles['owner']}>
      {owner.kind === 'member' ? 'With' : 'Answered by'} <b dir="auto">{name}</b>
      {isAway && ', who is away'}
    </p>
  )
}

/** The server knows owners by their ids; their names are those of the team and the bots. */
function useOwnerName({ kind, id, name }: Conversation['owner']): string | undefined {
  const members = useQuery({ ...memberChoices(), enabled: kind === 'member' && !name }).data
  const bots = useQuery({ ...botChoices(), enabled: kind === 'bot' && !name }).data
  if (name || kind === 'nobody') return name
  if (kind === 'workflow') return 'a workflow'
  if (kind === 'bot') return bots ? (bots.find((bot) => bot.id === id)?.name ?? 'a bot') : undefined
  return members ? (members.find(({ userId }) => userId === id)?.name ?? 'a former member') : undefined
}
